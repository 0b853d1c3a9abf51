-- lifetimes: how long devices that placed a kind in one week keep it, and why they no longer have it.
--
-- Grain    one row per (app_id, surface, kind, cohort_week)
-- Units    distinct devices; a device counts once for a kind, with the first time that it had it
-- Reads    cohort_day, lifetime_day, closed_day
-- Caveat   the quartiles count a silent device only until it fell silent; one whose first list already had the kind is left out
-- Read by  `widget-census report lifetimes`
-- Empty    no device placed a matching kind in a week that has ended; `widget-census nightly` closes days
-- Budget   207..828 blocks
create or replace view report.lifetimes as
select
    app.app_id,
    cohort.surface,
    cohort.kind,
    cohort.cohort_week,
    cohort.placements,
    cohort.ended,
    cohort.placements - cohort.ended - cohort.out_of_sight as still_there,
    cohort.out_of_sight,
    cohort.days_p25,
    cohort.days_p50,
    cohort.days_p75,
    cohort.ended_removed,
    cohort.ended_configured,
    cohort.ended_reinstalled,
    cohort.ended_upgrade_loss
from census.app
cross join lateral (
    select
        survival.surface,
        survival.kind,
        survival.cohort_week,
        survival.placements,
        coalesce(sum(survival.ended), 0)::bigint as ended,
        coalesce(sum(survival.out_of_sight), 0)::bigint as out_of_sight,
        -- Rounding must not hide that exactly a quarter has ended.
        min(survival.days) filter (where survival.is_observed and survival.share < 0.75 + 1e-9) as days_p25,
        min(survival.days) filter (where survival.is_observed and survival.share < 0.5 + 1e-9) as days_p50,
        min(survival.days) filter (where survival.is_observed and survival.share < 0.25 + 1e-9) as days_p75,
        coalesce(sum(survival.ended_removed), 0)::bigint as ended_removed,
        coalesce(sum(survival.ended_configured), 0)::bigint as ended_configured,
        coalesce(sum(survival.ended_reinstalled), 0)::bigint as ended_reinstalled,
        coalesce(sum(survival.ended_upgrade_loss), 0)::bigint as ended_upgrade_loss
    from (
        select
            at_risk.*,
            -- All of the cohort have been watched that long. From 28 days on, days are rounded down to weeks.
            at_risk.days + case when at_risk.days >= 28 then 6 else 0 end
                <= (
                    select max(closed_day.day)
                    from census.closed_day
                    where closed_day.app_number = app.app_number
                        and extract(isodow from closed_day.day) = 7
                ) - at_risk.cohort_week - 6 as is_observed,
            -- Kaplan and Meier: the share that had it for longer, as a product over the days on which it ended for some.
            exp(
                sum(ln(greatest(1 - at_risk.ended / nullif(at_risk.devices, 0)::double precision, 1e-300))) over so_far
            ) as share
        from (
            select
                placed.surface,
                placed.kind,
                placed.cohort_week,
                placed.placements,
                gone.days,
                gone.ended,
                gone.out_of_sight,
                gone.ended_removed,
                gone.ended_configured,
                gone.ended_reinstalled,
                gone.ended_upgrade_loss,
                -- Those that still had it, and were not out of sight, when the day began.
                placed.placements - coalesce(sum(gone.ended + gone.out_of_sight) over earlier, 0) as devices
            from (
                select
                    cohort_day.surface,
                    cohort_day.kind,
                    cohort_day.week as cohort_week,
                    sum(cohort_day.devices_placed)::bigint as placements
                from census.cohort_day
                where cohort_day.app_number = app.app_number
                group by
                    cohort_day.surface,
                    cohort_day.kind,
                    cohort_day.week
                having sum(cohort_day.devices_placed) > 0
            ) as placed
            left join (
                select
                    lifetime_day.surface,
                    lifetime_day.kind,
                    lifetime_day.week,
                    lifetime_day.days::integer as days,
                    coalesce(
                        sum(lifetime_day.devices) filter (where lifetime_day.cause not in ('silent', 'forgotten')), 0
                    )::bigint as ended,
                    coalesce(
                        sum(lifetime_day.devices) filter (where lifetime_day.cause in ('silent', 'forgotten')), 0
                    )::bigint as out_of_sight,
                    sum(lifetime_day.devices) filter (where lifetime_day.cause = 'removed') as ended_removed,
                    sum(lifetime_day.devices) filter (where lifetime_day.cause = 'configured') as ended_configured,
                    sum(lifetime_day.devices) filter (where lifetime_day.cause = 'reinstalled') as ended_reinstalled,
                    sum(lifetime_day.devices) filter (where lifetime_day.cause = 'upgrade_loss') as ended_upgrade_loss
                from census.lifetime_day
                where lifetime_day.app_number = app.app_number
                group by
                    lifetime_day.surface,
                    lifetime_day.kind,
                    lifetime_day.week,
                    lifetime_day.days
            ) as gone
                on gone.surface = placed.surface
                and gone.kind = placed.kind
                and gone.week = placed.cohort_week
            window earlier as (
                partition by
                    placed.surface,
                    placed.kind,
                    placed.cohort_week
                order by gone.days
                rows between unbounded preceding and 1 preceding)
        ) as at_risk
        window so_far as (
            partition by
                at_risk.surface,
                at_risk.kind,
                at_risk.cohort_week
            order by at_risk.days)
    ) as survival
    group by
        survival.surface,
        survival.kind,
        survival.cohort_week,
        survival.placements
) as cohort;

comment on view report.lifetimes is 'How long devices that placed a kind in one week keep it, and why they no longer have it.';
comment on column report.lifetimes.app_id is 'Bundle id or package name.';
comment on column report.lifetimes.surface is 'widget, control, live_activity or today.';
comment on column report.lifetimes.kind is 'The widget''s kind.';
comment on column report.lifetimes.cohort_week is 'Monday of the week in which the devices first placed the kind, in the app''s time zone.';
comment on column report.lifetimes.placements is 'Devices in the cohort, each with its first time with the kind.';
comment on column report.lifetimes.ended is 'Of these, no longer had it at some time, neither certainly nor possibly.';
comment on column report.lifetimes.still_there is 'Of these, have had it ever since, certainly or possibly.';
comment on column report.lifetimes.out_of_sight is 'Of these, fell silent or were forgotten while they had it.';
comment on column report.lifetimes.days_p25 is 'Days after which a quarter no longer had it; null: not reached yet.';
comment on column report.lifetimes.days_p50 is 'Days after which half no longer had it; null: not reached yet.';
comment on column report.lifetimes.days_p75 is 'Days after which three quarters no longer had it; null: not reached yet.';
comment on column report.lifetimes.ended_removed is 'Ended because people removed it, or it was a suspect that proved to be gone.';
comment on column report.lifetimes.ended_configured is 'Ended with a change of its settings that left nothing of the kind; rare.';
comment on column report.lifetimes.ended_reinstalled is 'Ended because the app was deleted and installed again.';
comment on column report.lifetimes.ended_upgrade_loss is 'Ended because an app update took it away.';
