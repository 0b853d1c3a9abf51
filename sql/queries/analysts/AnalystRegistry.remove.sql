-- Drops the named analyst, who has no login any more, and ends sessions that began before that was seen.
do $$
declare
    analyst constant text := current_setting('widget_census.analyst');
begin
    begin
        perform pg_terminate_backend(pid, 5000)
        from pg_stat_activity
        where usename = analyst;
    exception when insufficient_privilege then
        null;
    end;
    execute format('drop role %I', analyst);
end $$;
