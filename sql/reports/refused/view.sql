-- refused: how many events were refused, and for what.
--
-- Grain    one row per (app_id, day, code); the day of receipt, in UTC whatever the app's zone
-- Units    events; a redelivery on the same day is one
-- Reads    refused
-- Caveat   includes today; batches refused as a whole are not kept, /metrics counts them
-- Read by  dashboards (quality); `widget-census report refused`
-- Order    app_id, day, events desc, code
-- Empty    no event that matches was refused
-- Budget   35..350 blocks
create or replace view report.refused as
select
    app.app_id,
    refused.refused_on as day,
    refused.code,
    count(*) as events,
    -- By bytes: the same one under every collation.
    min(refused.message collate "C") as example
-- A plain join, though a lateral one is twice as fast: Citus supports no other on a distributed table.
from census.refused
join census.app
    on app.app_number = refused.app_number
group by
    app.app_number,
    app.app_id,
    refused.refused_on,
    refused.code;

comment on view report.refused is 'How many events were refused, and for what.';
comment on column report.refused.app_id is 'Bundle id or package name.';
comment on column report.refused.day is 'The day of receipt, in UTC.';
comment on column report.refused.code is 'Why, as the sender was told: too_old, invalid_widget and so on.';
comment on column report.refused.events is 'Events that were refused; a redelivery on the same day adds nothing.';
comment on column report.refused.example is 'The sentence that one of the senders got; the same one at every reading.';
