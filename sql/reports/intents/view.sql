-- intents: how many devices had each widget kind with each configuration intent, day by day.
--
-- Grain    one row per (app_id, day, surface, kind, intent); closed days only
-- Units    distinct devices; device_configurations: distinct configurations of each device, added up
-- Reads    intent_day
-- Caveat   a device can have several intents of a kind, so never sum devices over rows. The 50 intents of a kind that most
--          devices had that day; the others are (other), whose bounds are wider
-- Read by  `widget-census report intents`
-- Order    app_id, day, surface, kind, devices_possible desc, intent nulls first
-- Empty    no closed day has matching rows; `widget-census nightly` closes days
-- Budget   96..386 blocks
create or replace view report.intents as
select
    app.app_id,
    counted.day,
    counted.surface,
    counted.kind,
    nullif(counted.intent, '') as intent,
    counted.devices_certain,
    counted.devices_possible,
    counted.device_configurations
from census.app
cross join lateral (
    select
        ranked.day,
        ranked.surface,
        ranked.kind,
        ranked.intent,
        -- A device can have several of the other intents, so the largest is the lower bound and their sum the upper one.
        max(ranked.devices_certain) as devices_certain,
        sum(ranked.devices_possible)::bigint as devices_possible,
        sum(ranked.device_configurations)::bigint as device_configurations
    from (
        select
            day,
            surface,
            kind,
            case when row_number() over largest <= 50 then intent else '(other)' end as intent,
            devices_certain,
            devices_possible,
            device_configurations
        from census.intent_day
        where app_number = app.app_number
        window largest as (
            partition by
                day,
                surface,
                kind
            order by
                devices_possible desc,
                intent)
    ) as ranked
    group by
        ranked.day,
        ranked.surface,
        ranked.kind,
        ranked.intent
) as counted;

comment on view report.intents is 'How many devices had each widget kind with each configuration intent, day by day.';
comment on column report.intents.app_id is 'Bundle id or package name.';
comment on column report.intents.day is 'Day at whose end we counted, in the app''s time zone.';
comment on column report.intents.surface is 'widget, control, live_activity or today.';
comment on column report.intents.kind is 'The widget''s kind.';
comment on column report.intents.intent is 'Class name of the configuration intent; null if none was sent, (other) for those after the 50 largest.';
comment on column report.intents.devices_certain is 'At least this many devices had it (lower bound).';
comment on column report.intents.devices_possible is 'At most this many devices had it (upper bound).';
comment on column report.intents.device_configurations is 'Distinct configurations that each device certainly had, added up: one that two devices share counts twice.';
