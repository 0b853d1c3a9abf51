-- Takes the named analyst's login. It must be committed before sessions are ended: until then new ones begin.
do $$
begin
    execute format('alter role %I nologin', current_setting('widget_census.analyst'));
end $$;
