-- Counts day $2 of app $1, which ends at $3 in its zone $4, straight from spans and phases, and compares device_day with it.
-- Answers the cells, five at most, in which the two differ, with the numbers of both in the order of the columns.
with with_widget as (
    select distinct span.device_id
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
        and span.certain > 0
        and span.surface in ('widget', 'today')
),
counted as (
    select
        phase.app_version,
        coalesce(phase.os_version, '') as os_version,
        phase.platform,
        coalesce(phase.gallery_policy, 0) as gallery_policy,
        count(*) as devices_active,
        count(with_widget.device_id) as devices_with_widget,
        count(*) filter (
            where phase.is_reporting
                -- Of the phase that lasts a lapse is counted once it is entered.
                and (phase.to_at is not null or device.reporting_until >= its_day.ends_at
                    or device.reporting_until >= device.due_at)
        ) as devices_reporting,
        count(*) filter (where phase.is_cloned) as devices_cloned
    from census.phase
    join census.device
        on device.device_id = phase.device_id
    -- One that waits for its zone is counted by the days of another.
    cross join lateral (
        select case when device.zone = $4 then $3::timestamptz
            else ($2::date + 1)::timestamp at time zone device.zone end as ends_at
    ) as its_day
    left join with_widget
        on with_widget.device_id = phase.device_id
    where phase.app_number = $1
        and phase.from_at < its_day.ends_at
        and case when device.due_at is null or device.silent_at < device.due_at
            then least(phase.to_at, device.silent_at) >= its_day.ends_at
            else phase.to_at is null or phase.to_at >= its_day.ends_at
        end
    group by
        phase.app_version,
        coalesce(phase.os_version, ''),
        phase.platform,
        coalesce(phase.gallery_policy, 0)
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
            and day = $2
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
            and day <= $2
    ) as entered
    group by
        app_version,
        os_version,
        platform,
        gallery_policy
)
select
    concat_ws(' ', coalesce(ledger.app_version::text, counted.app_version::text), coalesce(ledger.os_version::text, counted.os_version::text), coalesce(ledger.platform::text, counted.platform::text), coalesce(ledger.gallery_policy::text, counted.gallery_policy::text)) as cell,
    concat_ws(' ', ledger.devices_active, ledger.devices_with_widget, ledger.devices_reporting, ledger.devices_cloned) as ledger,
    concat_ws(' ', counted.devices_active, counted.devices_with_widget, counted.devices_reporting, counted.devices_cloned) as counted
from ledger
full join counted
    on counted.app_version = ledger.app_version
    and counted.os_version = ledger.os_version
    and counted.platform = ledger.platform
    and counted.gallery_policy = ledger.gallery_policy
where (coalesce(ledger.devices_active, 0), coalesce(ledger.devices_with_widget, 0), coalesce(ledger.devices_reporting, 0), coalesce(ledger.devices_cloned, 0))
    is distinct from (coalesce(counted.devices_active, 0), coalesce(counted.devices_with_widget, 0), coalesce(counted.devices_reporting, 0), coalesce(counted.devices_cloned, 0))
limit 5
