-- Counts the days $2 of app $1, which end at $3 in its zone $4, straight from spans and phases, and compares them with
-- {table}.
-- Returns of each day at most five cells in which the two differ, with the numbers of both in the order of the columns.
with
-- When the days $2 end in each zone. A device that waits to be folded in another zone is still counted by the days of
-- the old one.
zone_day as (
    select
        zone,
        case when zone = $4 then $3::timestamptz[]
            else array(
                select (day + 1)::timestamp at time zone zone
                from unnest($2::date[]) as day
                order by day) end as ends
    from (
        select distinct zone
        from census.counted_device
        where app_number = $1
    ) as counted_by
),
{include counted/{subject}},
-- Where either changes, by the positions of days in $2.
changed as (
    select
        change.position,
        {each cells: @},
        {each amounts: change.sign * @ as counted_@},
        {each amounts: 0 as ledger_@}
    from counted
    cross join lateral (values (first, 1), (last + 1, -1)) as change (position, sign)
    union all
    select
        width_bucket(day, $2::date[]) + change.later,
        {each cells: @},
        {each amounts: 0},
        {each amounts: change.sign * @}
    from census.{table}
    cross join (values (0, 1), (1, -1)) as change (later, sign)
    where app_number = $1
        and day = any($2::date[])
    union all
    select
        width_bucket(day - 1, $2::date[]) + 1,
        {each cells: @},
        {each amounts: 0},
        {each amounts: @}
    from census.{entries}
    where app_number = $1
),
level as (
    select
        position,
        {each cells: @},
        {each amounts: sum(sum(counted_@)) over so_far as counted_@},
        {each amounts: sum(sum(ledger_@)) over so_far as ledger_@}
    from changed
    group by
        position,
        {each cells: @}
    window so_far as (
        partition by
            {each cells: @}
        order by position)
),
compared as (
    select
        position,
        concat_ws(' ', {list cells}) as cell,
        concat_ws(
            ' ',
            {each amounts: ledger_@}
        ) as ledger,
        concat_ws(
            ' ',
            {each amounts: counted_@}
        ) as counted
    from level
    where position <= cardinality($2::date[])
),
wrong as (
    select
        *,
        row_number() over (partition by position order by cell) as number
    from compared
    where ledger <> counted
)
select
    ($2::date[])[position] as day,
    cell,
    ledger,
    counted
from wrong
where number <= 5
order by
    day,
    number
