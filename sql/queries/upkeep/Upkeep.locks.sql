-- The settings that size the server's table of locks.
select
    current_setting('max_locks_per_transaction')::bigint as per_session,
    current_setting('max_connections')::bigint + current_setting('max_prepared_transactions')::bigint as sessions
