-- os_quirks: which OS versions keep listing widgets that are gone after a reinstall.
--
-- Grain    one row per (app_id, platform, os_version) with settled suspects; the version is the one that first listed them
-- Units    placements of known devices that were suspect after a reinstall (R4); shares 0..1; 95% Wilson score interval
-- Reads    outcome_day, change_day, kind_day
-- Caveat   people remove widgets, too: it is an OS bug only if the whole interval is above ordinary_removal_share
-- Read by  dashboards (quality); `widget-census report os_quirks`
-- Empty    no suspect is settled yet; that takes a reinstall, a boot, and a report after the boot
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
-- How fast people remove certain widgets.
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
        -- For one widget, over the time for which these were suspect. Computed here so that the rate is read only once.
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

comment on view report.os_quirks is 'Which OS versions keep listing widgets that are gone after a reinstall.';
comment on column report.os_quirks.app_id is 'Bundle id or package name.';
comment on column report.os_quirks.platform is 'Platform that first listed the suspects.';
comment on column report.os_quirks.os_version is 'OS version that first listed the suspects, major and minor; empty if unknown.';
comment on column report.os_quirks.suspects_settled is 'Suspects on known devices (rule R4) whose outcome is known.';
comment on column report.os_quirks.gone is 'Of these, no longer listed after a boot.';
comment on column report.os_quirks.still_there is 'Of these, still listed after a boot, or used before one.';
comment on column report.os_quirks.gone_share is 'gone / suspects_settled.';
comment on column report.os_quirks.low is 'Lower end of the 95% interval of gone_share (Wilson score).';
comment on column report.os_quirks.high is 'Upper end of the 95% interval of gone_share (Wilson score).';
comment on column report.os_quirks.ordinary_removal_share is 'Share that people would have removed anyway: 1 - exp(-rate * time suspect), where rate is the removals of certain widgets per widget and second.';
