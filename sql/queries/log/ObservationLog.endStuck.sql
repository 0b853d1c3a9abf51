-- Ends sessions of this program that have waited longer than $1 for more rows of a COPY: their node has stalled. None of
-- PostgreSQL's timeouts runs meanwhile, and they hold the keys they have taken.
-- Returns a row for each.
select pg_terminate_backend(pid) as is_ended
from pg_stat_activity
where datname = current_database()
    and usename = current_user
    and application_name = 'widget-census'
    and state = 'active'
    and wait_event = 'ClientRead'
    and query_start < clock_timestamp() - $1::interval
