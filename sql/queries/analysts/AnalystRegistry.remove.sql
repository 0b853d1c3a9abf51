-- Drops the named analyst, and ends the analyst's sessions where we may: they could read nothing any more.
do $$
declare
    analyst constant text := current_setting('widget_census.analyst');
begin
    begin
        perform pg_terminate_backend(pid)
        from pg_stat_activity
        where usename = analyst;
    exception when insufficient_privilege then
        null;
    end;
    execute format('drop role %I', analyst);
end $$;
