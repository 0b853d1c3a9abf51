-- What keeps events from being stored: a standby, a read-only server, rights that this role lacks.
--
-- Returns one row, from the catalogue alone: health probes ask every few seconds.
select
    pg_is_in_recovery() as is_standby,
    current_setting('transaction_read_only')::boolean as is_read_only,
    (
        select coalesce(array_agg(needed.right_name || ' on ' || needed.table_name order by needed.table_name, needed.right_name), '{}')
        from (
            values
                ('census.observation', 'insert'),
                ('census.observation', 'select'),
                ('census.pending_device', 'insert'),
                ('census.read_entry', 'insert'),
                ('census.refused', 'insert'),
                ('census.warned', 'insert'),
                ('census.warned', 'select'),
                ('census.warned', 'update'),
                ('census.known_name', 'insert'),
                ('census.known_name', 'select'),
                ('census.forgotten', 'select'),
                ('census.app', 'select'),
                ('census.api_key', 'select')) as needed (table_name, right_name)
        where not coalesce(has_table_privilege(to_regclass(needed.table_name), needed.right_name), false)
    ) || case when has_database_privilege(current_database(), 'temporary') then '{}'::text[] else array['temporary on the database'] end as missing_rights
