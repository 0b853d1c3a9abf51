-- Ends sessions of this program that for longer than $1 have been waiting for more rows of a COPY: their node stands still. No
-- timeout of PostgreSQL's runs meanwhile, and they hold the keys of what they have taken.
-- Answers a row for each.
select pg_terminate_backend(pid) as is_ended
from pg_stat_activity
where datname = current_database()
    and usename = current_user
    and application_name = 'widget-census'
    and state = 'active'
    and wait_event = 'ClientRead'
    and query_start < clock_timestamp() - $1::interval
