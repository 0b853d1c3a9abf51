-- Why a report of app $1 (null: of all) may have no rows: what data there is, and which days and kinds.
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
