-- Creates the named analyst. Rights come from the group; the settings only guard against accidents.
do $$
declare
    analyst constant text := current_setting('widget_census.analyst');
begin
    execute format(
        'create role %I login password %L in role widget_census_analyst',
        analyst, current_setting('widget_census.verifier'));
    execute format('alter role %I set default_transaction_read_only = on', analyst);
    execute format('alter role %I set statement_timeout = %L', analyst, '60s');
    -- A transaction left open would hold up vacuum, and `migrate`.
    execute format('alter role %I set idle_in_transaction_session_timeout = %L', analyst, '60s');
    execute format('alter role %I set search_path = report', analyst);
end $$;
