-- How many locks the server's table has room for, and what that is made of.
select
    current_setting('max_locks_per_transaction')::bigint as per_session,
    current_setting('max_connections')::bigint + current_setting('max_prepared_transactions')::bigint as sessions
