-- The server's version, its clock, how long the reconciler's queue of app $2, or of all, is, counted up to $1, and what keeps the
-- server from taking writes.
select
    current_setting('server_version') as version,
    now() as asked_at,
    (
        -- A device may wait with several entries.
        select case when count(*) < $1 then count(distinct device_id) else count(*) end
        from (
            select device_id
            from census.pending_device
            where $2::integer is null
                or app_number = $2
            limit $1
        ) as counted
    ) as pending,
    pg_is_in_recovery() as is_standby,
    current_setting('default_transaction_read_only')::boolean as is_read_only,
    (
        select source
        from pg_settings
        where name = 'default_transaction_read_only') as read_only_source,
    current_user::text as role,
    current_database()::text as database
