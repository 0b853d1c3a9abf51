-- Counts day $2 of app $1, which ends at $3 in its zone $4, straight from spans and phases, and compares install_day with it.
-- Answers the cells, five at most, in which the two differ, with the numbers of both in the order of the columns.
with held as (
    select
        span.device_id,
        span.surface,
        span.kind,
        coalesce(span.family, '') as family,
        sum(span.certain) as certain,
        sum(span.certain + span.presumed + span.suspect + span.either) as possible,
        sum(span.reported) as reported
    from census.span
    join census.device
        on device.device_id = span.device_id
    -- One that waits for its zone is counted by the days of another.
    cross join lateral (
        select case when device.zone = $4 then $3::timestamptz
            else ($2::date + 1)::timestamp at time zone device.zone end as ends_at
    ) as its_day
    where span.app_number = $1
        -- One that could not be reconciled since the ledger began is not in it.
        and device.zone is not null
        and span.from_at < its_day.ends_at
        -- A device that fell silent is counted until that is entered.
        and case when device.due_at is null or device.silent_at < device.due_at
            then least(span.to_at, device.silent_at) >= its_day.ends_at
            else span.to_at is null or span.to_at >= its_day.ends_at
        end
    group by
        span.device_id,
        span.surface,
        span.kind,
        coalesce(span.family, '')
),
counted as (
    select
        held.surface,
        held.kind,
        held.family,
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        count(*) filter (where held.certain > 0) as devices_certain,
        count(*) filter (where held.possible > 0) as devices_possible,
        sum(held.certain) as widgets_certain,
        sum(held.possible) as widgets_possible,
        sum(held.reported) as widgets_reported
    from held
    join census.device
        on device.device_id = held.device_id
    -- One that waits for its zone is counted by the days of another.
    cross join lateral (
        select case when device.zone = $4 then $3::timestamptz
            else ($2::date + 1)::timestamp at time zone device.zone end as ends_at
    ) as its_day
    join census.phase
        on phase.device_id = held.device_id
    where phase.from_at < its_day.ends_at
        and case when device.due_at is null or device.silent_at < device.due_at
            then least(phase.to_at, device.silent_at) >= its_day.ends_at
            else phase.to_at is null or phase.to_at >= its_day.ends_at
        end
    group by
        held.surface,
        held.kind,
        held.family,
        phase.app_version,
        coalesce(phase.os_version, ''),
        phase.platform
),
ledger as (
    select
        surface,
        kind,
        family,
        app_version,
        os_version,
        platform,
        sum(devices_certain) as devices_certain,
        sum(devices_possible) as devices_possible,
        sum(widgets_certain) as widgets_certain,
        sum(widgets_possible) as widgets_possible,
        sum(widgets_reported) as widgets_reported
    from (
        select
            surface,
            kind,
            family,
            app_version,
            os_version,
            platform,
            devices_certain,
            devices_possible,
            widgets_certain,
            widgets_possible,
            widgets_reported
        from census.install_day
        where app_number = $1
            and day = $2
        union all
        select
            surface,
            kind,
            family,
            app_version,
            os_version,
            platform,
            devices_certain,
            devices_possible,
            widgets_certain,
            widgets_possible,
            widgets_reported
        from census.install_entry
        where app_number = $1
            and day <= $2
    ) as entered
    group by
        surface,
        kind,
        family,
        app_version,
        os_version,
        platform
)
select
    concat_ws(' ', coalesce(ledger.surface::text, counted.surface::text), coalesce(ledger.kind::text, counted.kind::text), coalesce(ledger.family::text, counted.family::text), coalesce(ledger.app_version::text, counted.app_version::text), coalesce(ledger.os_version::text, counted.os_version::text), coalesce(ledger.platform::text, counted.platform::text)) as cell,
    concat_ws(' ', ledger.devices_certain, ledger.devices_possible, ledger.widgets_certain, ledger.widgets_possible, ledger.widgets_reported) as ledger,
    concat_ws(' ', counted.devices_certain, counted.devices_possible, counted.widgets_certain, counted.widgets_possible, counted.widgets_reported) as counted
from ledger
full join counted
    on counted.surface = ledger.surface
    and counted.kind = ledger.kind
    and counted.family = ledger.family
    and counted.app_version = ledger.app_version
    and counted.os_version = ledger.os_version
    and counted.platform = ledger.platform
where (coalesce(ledger.devices_certain, 0), coalesce(ledger.devices_possible, 0), coalesce(ledger.widgets_certain, 0), coalesce(ledger.widgets_possible, 0), coalesce(ledger.widgets_reported, 0))
    is distinct from (coalesce(counted.devices_certain, 0), coalesce(counted.devices_possible, 0), coalesce(counted.widgets_certain, 0), coalesce(counted.widgets_possible, 0), coalesce(counted.widgets_reported, 0))
limit 5
