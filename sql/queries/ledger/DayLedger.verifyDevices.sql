-- Made by scripts/generate-sql from sql/ledger/compare_level.sql and tables.toml: edit those.
-- Counts day $2 of app $1, which ends at $3 in its zone $4, straight from spans and phases, and compares it with
-- device_day.
-- Returns at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- The spans of app $1 that are live when the asked day ends, in the app's zone $4.
live_span as (
    select
        span.device_id,
        span.surface,
        span.kind,
        coalesce(span.family, '') as family,
        span.certain,
        span.presumed,
        span.suspect,
        span.either,
        span.reported,
        span.still_there,
        span.claim_platform,
        coalesce(span.claim_os_version, '') as claim_os_version,
        span.claim_rule
    from census.counted_span as span
    -- A device that waits to be folded in another zone is still counted by the days of the old one.
    cross join lateral (
        select case when span.zone = $4 then $3::timestamptz
            else ($2::date + 1)::timestamp at time zone span.zone end as ends_at
    ) as its_day
    where span.app_number = $1
        and span.from_at < its_day.ends_at
        -- Not a plain comparison: the planner expects a third of the rows then, and sorts them to group them.
        and case when span.to_at is null then true else span.to_at >= its_day.ends_at end
),
-- The phases of devices of app $1 that last when the asked day ends, in the app's zone $4.
live_phase as (
    select
        phase.device_id,
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        coalesce(phase.gallery_policy, 0) as gallery_policy,
        phase.is_reporting and coalesce(phase.lapsed_at, 'infinity') >= its_day.ends_at as is_reporting,
        phase.is_cloned
    from census.counted_phase as phase
    -- A device that waits to be folded in another zone is still counted by the days of the old one.
    cross join lateral (
        select case when phase.zone = $4 then $3::timestamptz
            else ($2::date + 1)::timestamp at time zone phase.zone end as ends_at
    ) as its_day
    where phase.app_number = $1
        and phase.from_at < its_day.ends_at
        -- Not a plain comparison: the planner expects a third of the rows then, and sorts them to group them.
        and case when phase.to_at is null then true else phase.to_at >= its_day.ends_at end
),
with_widget as (
    select distinct device_id
    from live_span
    where certain > 0
        and surface in ('widget', 'today')
),
counted as (
    select
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        live_phase.gallery_policy,
        count(*) as devices_active,
        count(with_widget.device_id) as devices_with_widget,
        count(*) filter (where live_phase.is_reporting) as devices_reporting,
        count(*) filter (where live_phase.is_cloned) as devices_cloned
    from live_phase
    left join with_widget
        on with_widget.device_id = live_phase.device_id
    group by
        live_phase.app_version,
        live_phase.os_version,
        live_phase.platform,
        live_phase.gallery_policy
),
ledger as (
    select
        app_version,
        os_version,
        platform,
        gallery_policy,
        sum(devices_active) as devices_active,
        sum(devices_with_widget) as devices_with_widget,
        sum(devices_reporting) as devices_reporting,
        sum(devices_cloned) as devices_cloned
    from (
        select
            app_version,
            os_version,
            platform,
            gallery_policy,
            devices_active,
            devices_with_widget,
            devices_reporting,
            devices_cloned
        from census.device_day
        where app_number = $1
            and day = $2::date
        union all
        select
            app_version,
            os_version,
            platform,
            gallery_policy,
            devices_active,
            devices_with_widget,
            devices_reporting,
            devices_cloned
        from census.device_entry
        where app_number = $1
            and day <= $2::date
    ) as entered
    group by
        app_version,
        os_version,
        platform,
        gallery_policy
),
-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', app_version, os_version, platform, gallery_policy) as cell,
        concat_ws(
            ' ',
            ledger.devices_active,
            ledger.devices_with_widget,
            ledger.devices_reporting,
            ledger.devices_cloned
        ) as ledger,
        concat_ws(
            ' ',
            counted.devices_active,
            counted.devices_with_widget,
            counted.devices_reporting,
            counted.devices_cloned
        ) as counted
    from ledger
    full join counted
        using (app_version, os_version, platform, gallery_policy)
)
select
    cell,
    ledger,
    counted
from compared
where ledger <> counted
    -- A cell of zeros on one side may be missing on the other.
    and ledger || counted ~ '[1-9]'
limit 5
