-- os_quirks: on which versions of an OS the list names widgets that are gone.
--
-- Grain    one row per (app_id, platform, os_version) whose suspects were settled; the version that claimed them first
-- Units    placements of known devices that were suspect after a reinstall (R4); shares 0..1; 95 % interval by Wilson's score
-- Reads    suspect_share, span, device
-- Caveat   people remove widgets, too: only a share whose interval lies above ordinary_removal_share is a bug of the OS
-- Read by  `widget-census report os_quirks`
create or replace view report.os_quirks as
with settled as (
    select
        app_number,
        platform,
        os_version,
        settled::double precision as suspects,
        (settled - still_there)::double precision as gone
    from census.suspect_share
    where claim_rule = 'reinstall'
),
-- How fast people remove widgets that are certain.
removal as (
    select
        span.app_number,
        count(*) filter (where span.ended_cause = 'removed')
            / nullif(sum(extract(epoch from coalesce(span.to_at, device.last_heard_at) - span.from_at)), 0) as per_second
    from census.span
    join census.device
        on device.device_id = span.device_id
    where span.certain > 0
    group by span.app_number
),
-- For how long suspects were exposed to it.
exposure as (
    select
        app_number,
        claim_platform as platform,
        coalesce(claim_os_version, '') as os_version,
        avg(extract(epoch from to_at - from_at)) as seconds
    from census.span
    where still_there is not null
        and ended_rule = 'reboot'
        and claim_rule = 'reinstall'
    group by
        app_number,
        claim_platform,
        coalesce(claim_os_version, '')
)
select
    app.app_id,
    settled.platform,
    settled.os_version,
    settled.suspects::bigint as suspects_settled,
    settled.gone::bigint as gone,
    (settled.suspects - settled.gone)::bigint as still_there,
    round((settled.gone / settled.suspects)::numeric, 4) as gone_share,
    round(greatest(0, (settled.gone + 1.9208 - 1.96 * sqrt(
        settled.gone * (settled.suspects - settled.gone) / settled.suspects + 0.9604)) / (settled.suspects + 3.8416)
    )::numeric, 4) as low,
    round(least(1, (settled.gone + 1.9208 + 1.96 * sqrt(
        settled.gone * (settled.suspects - settled.gone) / settled.suspects + 0.9604)) / (settled.suspects + 3.8416)
    )::numeric, 4) as high,
    round((1 - exp(-coalesce(removal.per_second * exposure.seconds, 0)))::numeric, 4) as ordinary_removal_share
from settled
join census.app
    on app.app_number = settled.app_number
left join removal
    on removal.app_number = settled.app_number
left join exposure
    on exposure.app_number = settled.app_number
    and exposure.platform = settled.platform
    and exposure.os_version = settled.os_version;

comment on view report.os_quirks is 'On which versions of an OS the list names widgets that are gone.';
comment on column report.os_quirks.app_id is 'Bundle id or package name.';
comment on column report.os_quirks.platform is 'The platform that claimed them first.';
comment on column report.os_quirks.os_version is 'The OS version that claimed them first, major and minor; empty when unknown.';
comment on column report.os_quirks.suspects_settled is 'Suspects of known devices of which it became known whether they were there.';
comment on column report.os_quirks.gone is 'Of these, no longer claimed after a boot.';
comment on column report.os_quirks.still_there is 'Of these, still claimed after a boot, or used before one.';
comment on column report.os_quirks.gone_share is 'gone / suspects_settled.';
comment on column report.os_quirks.low is 'Lower end of the 95 % interval of gone_share.';
comment on column report.os_quirks.high is 'Upper end of the 95 % interval of gone_share.';
comment on column report.os_quirks.ordinary_removal_share is 'What share would have gone because people remove widgets, in the time for which these were suspect.';
