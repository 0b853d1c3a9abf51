-- name: cells
-- The counts of app $1, cell by cell: the closed days from $2 to $5 or all, of surface $3 or all, of kind $4 or all; with the
-- naive number of devices.
select
    live_kinds.day,
    live_kinds.surface,
    live_kinds.kind,
    live_kinds.devices_certain as certain,
    live_kinds.devices_possible as possible,
    live_kinds.devices_expected::double precision as expected,
    live_kinds.devices_reported as reported
from report.live_kinds
where live_kinds.app_id = $1
    and live_kinds.day >= coalesce($2::date, '-infinity')
    and live_kinds.day <= coalesce($5::date, 'infinity')
    and ($3::text is null or live_kinds.surface = $3)
    and ($4::text is null or live_kinds.kind = $4)
order by live_kinds.day

-- name: facts
-- Why a report of app $1 (null: of all) might have no rows: the available data, days and kinds.
with chosen as (
    select app_number
    from census.app
    where $1::text is null
        or app_id = $1
)
select
    (
        select count(*)
        from chosen
    ) as apps,
    exists (
        select 1
        from census.device
        where app_number in (select app_number from chosen)
    ) as has_devices,
    exists (
        select 1
        from census.pending_device
        where app_number in (select app_number from chosen)
    ) as has_pending,
    exists (
        select 1
        from census.known_name
        where dimension = 'app_version'
            and app_number in (select app_number from chosen)
    ) as has_names,
    (
        select count(*)
        from census.refused
        where app_number in (select app_number from chosen)
    ) as refused,
    (
        select min(day)
        from census.closed_day
        where app_number in (select app_number from chosen)
    ) as first_day,
    (
        select max(day)
        from census.closed_day
        where app_number in (select app_number from chosen)
    ) as last_day,
    array(
        select distinct name
        from census.known_name
        where dimension = 'kind'
            and app_number in (select app_number from chosen)
        order by name
    ) as kinds
