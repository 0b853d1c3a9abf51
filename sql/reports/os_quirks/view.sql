-- os_quirks: on which versions of an OS the list names widgets that are gone.
--
-- Grain    one row per (app_id, platform, os_version) whose suspects were settled; the version that claimed them first
-- Units    placements of known devices that were suspect after a reinstall (R4); shares 0..1; 95 % interval by Wilson's score
-- Reads    outcome_day, change_day, kind_day
-- Caveat   people remove widgets, too: only a share whose interval lies above ordinary_removal_share is a bug of the OS
-- Read by  dashboards (quality); `widget-census report os_quirks`
-- Empty    no suspect was settled yet: that takes a reinstall, a boot, and a report after it
-- Budget   800..3200 blocks
create or replace view report.os_quirks as
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
    round((1 - exp(-coalesce(settled.removals_expected, 0)))::numeric, 4) as ordinary_removal_share
from census.app
-- How fast people remove widgets that are certain.
cross join lateral (
    select sum(change_day.widgets_removed)::double precision as widgets
    from census.change_day
    where change_day.app_number = app.app_number
        and change_day.cause = 'removed'
) as removed
cross join lateral (
    select sum(kind_day.widgets_certain)::double precision * 86400 as widget_seconds
    from census.kind_day
    where kind_day.app_number = app.app_number
) as held
cross join lateral (
    select
        outcome_day.platform,
        outcome_day.os_version,
        sum(outcome_day.suspects_settled)::double precision as suspects,
        sum(outcome_day.suspects_settled - outcome_day.suspects_still_there)::double precision as gone,
        -- For one widget, over the time for which these were suspect. Computed here, so that the rate is taken only once.
        removed.widgets / nullif(held.widget_seconds, 0)
            * sum(outcome_day.suspect_seconds)::double precision
            / nullif(sum(outcome_day.suspects_settled), 0)::double precision as removals_expected
    from census.outcome_day
    where outcome_day.app_number = app.app_number
        and outcome_day.claim_rule = 'reinstall'
    group by
        outcome_day.platform,
        outcome_day.os_version
    having sum(outcome_day.suspects_settled) > 0
) as settled;

comment on view report.os_quirks is 'On which versions of an OS the list names widgets that are gone.';
comment on column report.os_quirks.app_id is 'Bundle id or package name.';
comment on column report.os_quirks.platform is 'The platform that claimed them first.';
comment on column report.os_quirks.os_version is 'The OS version that claimed them first, major and minor; empty when unknown.';
comment on column report.os_quirks.suspects_settled is 'Suspects of known devices (R4) whose outcome is known.';
comment on column report.os_quirks.gone is 'Of these, no longer claimed after a boot.';
comment on column report.os_quirks.still_there is 'Of these, still claimed after a boot, or used before one.';
comment on column report.os_quirks.gone_share is 'gone / suspects_settled.';
comment on column report.os_quirks.low is 'Lower end of the 95 % interval of gone_share (Wilson''s score).';
comment on column report.os_quirks.high is 'Upper end of the 95 % interval of gone_share (Wilson''s score).';
comment on column report.os_quirks.ordinary_removal_share is 'The share that would have gone because people remove widgets: 1 - exp(-rate * time suspect), the rate being removals of certain widgets per widget and second.';
