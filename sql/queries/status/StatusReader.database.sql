-- The server's version, its clock, and how long the reconciler's queue is, counted up to $1.
select
    current_setting('server_version') as version,
    now() as asked_at,
    (
        select count(*)
        from (
            select 1
            from census.pending_device
            limit $1
        ) as counted
    ) as pending,
    pg_is_in_recovery() as is_standby
