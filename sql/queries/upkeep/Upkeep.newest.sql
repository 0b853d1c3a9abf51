-- Whether any observation falls, by its device's clock, on the day that begins at $1 and ends at $2.
select exists (
    select
    from census.observation
    where occurred_at >= $1
        and occurred_at < $2) as has_rows
