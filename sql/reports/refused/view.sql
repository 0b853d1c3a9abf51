-- refused: how many events the server rejected, and why.
--
-- Grain    one row per (app_id, day, code); the day of receipt, in UTC whatever the app's zone
-- Units    events; a redelivery on the same day is not counted again
-- Reads    refused
-- Caveat   includes today; batches rejected as a whole are not stored, only counted in /metrics
-- Read by  dashboards (quality); `widget-census report refused`
-- Order    app_id, day, events desc, code
-- Empty    no matching event was refused
-- Budget   35..350 blocks
create or replace view report.refused as
select
    app.app_id,
    refused.refused_on as day,
    refused.code,
    count(*) as events,
    -- Compared by bytes, so that every collation gives the same one.
    min(refused.message collate "C") as example
-- A plain join: a lateral one is twice as fast, but Citus doesn't support it on a distributed table.
from census.refused
join census.app
    on app.app_number = refused.app_number
group by
    app.app_number,
    app.app_id,
    refused.refused_on,
    refused.code;

comment on view report.refused is 'How many events the server rejected, and why.';
comment on column report.refused.app_id is 'Bundle id or package name.';
comment on column report.refused.day is 'Day of receipt, in UTC.';
comment on column report.refused.code is 'Error code that the sender got, such as too_old or invalid_widget.';
comment on column report.refused.events is 'Rejected events; a redelivery on the same day is not counted again.';
comment on column report.refused.example is 'Message that one of the senders got; the same one on every query.';
