-- Writes down that the days $2 were closed and that the days $3 of them changed.
--
-- What was to be restated is forgotten, unless it lies behind these days, or a reconciler has changed spans since the row
-- was read in version $4: every write of theirs makes another version, whatever the day.
with restated as (
    update census.closed_day set
        restated_at = now()
    where app_number = $1
        and day = any($3::date[])
),
left_over as (
    select max(day) as last_day
    from census.closed_day
    where app_number = $1
        and day > all($2::date[])
),
done as (
    delete from census.restatement
    using left_over
    where app_number = $1
        and restatement.xmin::text = $4
        and (left_over.last_day is null or left_over.last_day < from_day)
),
postponed as (
    update census.restatement set
        from_day = greatest(from_day, (select max(day) from unnest($2::date[]) as listed (day)) + 1)
    from left_over
    where app_number = $1
        and restatement.xmin::text = $4
        and left_over.last_day >= from_day
)
insert into census.closed_day (app_number, day)
select
    $1,
    listed.day
from unnest($2::date[]) as listed (day)
on conflict (app_number, day) do nothing
