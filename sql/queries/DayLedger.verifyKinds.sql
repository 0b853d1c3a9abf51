-- Counts day $2 of app $1, which ends at $3 in its zone $4, straight from the spans, and compares kind_day with it.
-- Answers the cells, five at most, in which the two differ, with the numbers of both in the order of the columns.
with held as (
    select
        span.surface,
        span.kind,
        span.device_id,
        sum(span.certain) as certain,
        sum(span.certain + span.presumed + span.suspect) as possible,
        sum(span.reported) as reported,
        sum(span.suspect) as suspect,
        sum(span.suspect - span.still_there) as gone,
        sum(span.still_there) as still_there,
        bool_or(span.presumed > 0 or coalesce(span.still_there, 0) > 0) as is_still_there,
        (array_agg(
            array[span.claim_platform, coalesce(span.claim_os_version, ''), span.claim_rule]
            order by
                span.claim_platform collate "C" desc,
                coalesce(span.claim_os_version, '') collate "C" desc,
                span.claim_rule collate "C" desc
        ) filter (where span.suspect > 0 and span.still_there is null))[1:1] as claim
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
        span.surface,
        span.kind,
        span.device_id
),
counted as (
    select
        surface,
        kind,
        count(*) filter (where certain > 0) as devices_certain,
        count(*) filter (where possible > 0) as devices_possible,
        count(*) filter (where certain = 0 and is_still_there) as devices_still_there,
        count(*) filter (where reported > 0) as devices_reported,
        sum(certain) as widgets_certain,
        sum(possible) as widgets_possible,
        sum(reported) as widgets_reported,
        sum(suspect) as widgets_suspect,
        coalesce(sum(gone), 0) as widgets_gone,
        coalesce(sum(still_there), 0) as widgets_still_there
    from held
    group by
        surface,
        kind
),
ledger as (
    select
        surface,
        kind,
        sum(devices_certain) as devices_certain,
        sum(devices_possible) as devices_possible,
        sum(devices_still_there) as devices_still_there,
        sum(devices_reported) as devices_reported,
        sum(widgets_certain) as widgets_certain,
        sum(widgets_possible) as widgets_possible,
        sum(widgets_reported) as widgets_reported,
        sum(widgets_suspect) as widgets_suspect,
        sum(widgets_gone) as widgets_gone,
        sum(widgets_still_there) as widgets_still_there
    from (
        select
            surface,
            kind,
            devices_certain,
            devices_possible,
            devices_still_there,
            devices_reported,
            widgets_certain,
            widgets_possible,
            widgets_reported,
            widgets_suspect,
            widgets_gone,
            widgets_still_there
        from census.kind_day
        where app_number = $1
            and day = $2
        union all
        select
            surface,
            kind,
            devices_certain,
            devices_possible,
            devices_still_there,
            devices_reported,
            widgets_certain,
            widgets_possible,
            widgets_reported,
            widgets_suspect,
            widgets_gone,
            widgets_still_there
        from census.kind_entry
        where app_number = $1
            and day <= $2
    ) as entered
    group by
        surface,
        kind
)
select
    concat_ws(' ', coalesce(ledger.surface::text, counted.surface::text), coalesce(ledger.kind::text, counted.kind::text)) as cell,
    concat_ws(' ', ledger.devices_certain, ledger.devices_possible, ledger.devices_still_there, ledger.devices_reported, ledger.widgets_certain, ledger.widgets_possible, ledger.widgets_reported, ledger.widgets_suspect, ledger.widgets_gone, ledger.widgets_still_there) as ledger,
    concat_ws(' ', counted.devices_certain, counted.devices_possible, counted.devices_still_there, counted.devices_reported, counted.widgets_certain, counted.widgets_possible, counted.widgets_reported, counted.widgets_suspect, counted.widgets_gone, counted.widgets_still_there) as counted
from ledger
full join counted
    on counted.surface = ledger.surface
    and counted.kind = ledger.kind
where (coalesce(ledger.devices_certain, 0), coalesce(ledger.devices_possible, 0), coalesce(ledger.devices_still_there, 0), coalesce(ledger.devices_reported, 0), coalesce(ledger.widgets_certain, 0), coalesce(ledger.widgets_possible, 0), coalesce(ledger.widgets_reported, 0), coalesce(ledger.widgets_suspect, 0), coalesce(ledger.widgets_gone, 0), coalesce(ledger.widgets_still_there, 0))
    is distinct from (coalesce(counted.devices_certain, 0), coalesce(counted.devices_possible, 0), coalesce(counted.devices_still_there, 0), coalesce(counted.devices_reported, 0), coalesce(counted.widgets_certain, 0), coalesce(counted.widgets_possible, 0), coalesce(counted.widgets_reported, 0), coalesce(counted.widgets_suspect, 0), coalesce(counted.widgets_gone, 0), coalesce(counted.widgets_still_there, 0))
limit 5
