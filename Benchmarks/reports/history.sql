-- Writes a history of :days days through :last_day and of :kinds kinds directly into the ledger's tables, the same at every
-- run, for two apps of equal size: the existing one and com.example.other. Benchmarks/reports/run and the budgets of the
-- reports use it.
--
-- It is consistent: every check of every report passes on it. Kinds 1 and 2 have 48 cells (3 families, 4 app versions, 4 OS
-- versions), the others 4. Each cell grows by a device a day. Every amount of the ledger's days is above zero somewhere, and
-- kind 1 changes for every cause, so a new report over them finds rows here.
insert into census.app (app_id) values ('com.example.other');
create temporary table history as
select
    app.app_number,
    (date :'last_day' - (:days - 1) + number)::date as day,
    number
from census.app
cross join generate_series(0, :days - 1) as number;
create temporary table kind_history as
select
    app_number,
    day,
    number,
    'kind ' || kind as kind,
    case when kind <= 2 then 48 else 4 end as cells
from history
cross join generate_series(1, :kinds) as kind;
insert into census.closed_day (app_number, day)
select
    app_number,
    day
from history;
insert into census.reconciled (app_number, as_of)
select
    app_number,
    now()
from census.app;
insert into census.kind_day (
    app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, widgets_certain,
    widgets_possible, widgets_reported, devices_certain_first_known, devices_possible_first_known,
    devices_reported, devices_silent, widgets_suspect, widgets_gone, widgets_still_there)
select
    app_number, day, 'widget', kind, cells * (20 + number), cells * (21 + number), cells / 4, cells * (20 + number),
    cells * (21 + number), cells * (21 + number), cells * (20 + number), cells * (21 + number),
    cells * (21 + number), cells / 2, cells, cells / 4, cells / 4
from kind_history;
insert into census.kind_day_unsettled (
    app_number, day, surface, kind, platform, os_version, claim_rule, devices)
select
    app_number, day, 'widget', kind, 'ios', version || '.0', 'reinstall', 1
from kind_history
cross join generate_series(14, 17) as version
where kind ~ '[16]$';
insert into census.install_day (
    app_number, day, surface, kind, family, app_version, os_version, platform, devices_certain,
    devices_possible, widgets_certain, widgets_possible, widgets_reported)
select
    app_number, day, 'widget', kind, family, app_version || '.0', version || '.0', 'ios', 20 + number,
    21 + number, 20 + number, 21 + number, 21 + number
from kind_history
cross join unnest(array['systemSmall', 'systemMedium', '']) as family
cross join generate_series(1, 4) as app_version
cross join generate_series(14, 17) as version
where cells = 48
    or (family = '' and app_version = 1);
insert into census.version_day (
    app_number, day, surface, kind, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible)
select
    app_number, day, 'widget', kind, app_version || '.0', version || '.0', 'ios', 1, 1, 1, 2
from kind_history
cross join generate_series(1, 2) as app_version
cross join generate_series(16, 17) as version;
insert into census.manifest (app_number, app_version, added_by, digest, source)
select
    app_number, '2.0', 'tester', '', ''
from census.app;
insert into census.manifest_kind (app_number, app_version, surface, kind, migrates_from)
select
    app_number, '2.0', 'widget', 'kind ' || kind, '{}'
from census.app
cross join generate_series(2, :kinds) as kind;
insert into census.device_day (
    app_number, day, app_version, os_version, platform, gallery_policy, devices_active, devices_with_widget,
    devices_with_widget_possible, devices_reporting, devices_cloned)
select
    app_number, day, app_version || '.0', version || '.0', 'ios', policy, 1000, 600, 700, 800, 10
from history
cross join generate_series(1, 4) as app_version
cross join generate_series(14, 17) as version
cross join generate_series(0, 1) as policy;
insert into census.widget_count_day (app_number, day, platform, widgets, devices_certain, devices_possible)
select
    app_number, day, 'ios', widgets,
    case widgets when 0 then 12800 when 1 then 14700 else 450 end,
    case widgets when 0 then 9600 when 1 then 17900 else 450 end
from history
cross join generate_series(0, 11) as widgets;
insert into census.intent_day (
    app_number, day, surface, kind, intent, devices_certain, devices_possible, device_configurations)
select
    app_number, day, 'widget', kind, intent, cells * (20 + number), cells * (21 + number), length(intent)
from kind_history
cross join unnest(array['', 'CityIntent']) as intent;
-- In quarters of a kind's cells, on each of two OS versions: together one widget more in each cell.
create temporary table flow as
select
    app_number,
    day,
    kind,
    cause,
    cells / 4 * added as added,
    cells / 4 * removed as removed
from kind_history
cross join (
    values
        ('installed', 4, 0), ('removed', 0, 2), ('configured', 1, 1), ('reinstalled', 1, 1), ('upgrade_loss', 0, 1),
        ('silent', 0, 1), ('returned', 3, 0), ('forgotten', 0, 1)
) as change (cause, added, removed)
where cause in ('installed', 'removed')
    or kind = 'kind 1';
insert into census.change_day (app_number, day, surface, kind, family, cause, widgets_added, widgets_removed)
select
    app_number, day, 'widget', kind, '', cause, 2 * added, 2 * removed
from flow;
insert into census.move_day (
    app_number, day, surface, kind, cause, app_version, os_version, platform, widgets_added, widgets_removed,
    devices_added, devices_removed)
select
    app_number, day, 'widget', kind, cause, '4.0', version || '.0', 'ios', added, removed, added, removed
from flow
cross join generate_series(16, 17) as version;
insert into census.use_day (app_number, day, surface, kind, use, devices, events)
select
    app_number, day, 'widget', kind, use, cells, 3 * cells
from kind_history
cross join unnest(array['opened', 'configured', 'rendered']) as use;
insert into census.active_day (
    app_number, day, scope, surface, kind, family, platform, devices_daily, devices_weekly, devices_in_window)
select
    app_number, day, 'all', '', '', '', 'ios', 8000, 16000, 32000
from history
union all
select
    app_number, day, 'surface', 'widget', '', '', 'ios', 6250, 12500, 25000
from history
union all
select
    app_number, day, 'family', 'widget', '', family, 'ios', 6000, 12000, 24000
from history
cross join unnest(array['systemSmall', 'systemMedium']) as family
union all
select
    app_number, day, 'kind', 'widget', kind, '', 'ios', cells * (20 + number) / 4, cells * (20 + number) / 2,
    cells * (20 + number)
from kind_history
union all
select
    app_number, day, 'kind_family', 'widget', kind, family, 'ios', 4 * (20 + number) / 4, 4 * (20 + number) / 2,
    4 * (20 + number)
from kind_history
cross join unnest(array['systemSmall', 'systemMedium']) as family
where cells = 48;
insert into census.overlap_day (app_number, day, surface, kind, other_kind, devices)
select
    held.app_number, held.day, 'widget', held.kind, other.kind, 3
from kind_history as held
join kind_history as other
    on other.app_number = held.app_number
    and other.day = held.day
    and other.kind collate "C" > held.kind collate "C"
where held.kind in ('kind 1', 'kind 2', 'kind 3');
insert into census.cohort_day (app_number, day, surface, kind, week, devices_placed, devices_certain, devices_possible)
select
    kind_history.app_number, kind_history.day + 7 * later, 'widget', kind_history.kind, kind_history.day - 6,
    case later when 0 then 4 else 0 end, case later when 0 then 3 else -1 end, case later when 0 then 4 else -1 end
from kind_history
cross join generate_series(0, 3) as later
where extract(isodow from kind_history.day) = 7
    and kind_history.number >= 6
    and kind_history.day + 7 * later <= date :'last_day';
-- Of the four devices of a cohort one keeps the kind.
insert into census.lifetime_day (app_number, day, surface, kind, week, days, cause, devices)
select
    kind_history.app_number, kind_history.day + 7 * later, 'widget', kind_history.kind, kind_history.day - 6,
    2 + 7 * later, (array['removed', 'silent', 'reinstalled'])[later + 1], 1
from kind_history
cross join generate_series(0, 2) as later
where extract(isodow from kind_history.day) = 7
    and kind_history.number >= 6
    and kind_history.day + 7 * later <= date :'last_day';
insert into census.first_widget_day (app_number, day, platform, week, outcome, days, devices)
select
    history.app_number, history.day + 7 * later, 'ios', history.day - 6, outcome, days, devices
from history
cross join (
    values
        (0, 'before', 0, 2), (0, 'days', 0, 3), (0, 'days', 3, 1), (0, 'never', 0, 14), (1, 'days', 8, 1),
        (1, 'never', 0, -1), (5, 'later', 0, 1), (5, 'never', 0, -1)
) as outcome (later, outcome, days, devices)
where extract(isodow from history.day) = 7
    and history.day + 7 * later <= date :'last_day';
-- Of a cohort whose first week is before the history nothing is known.
insert into census.engagement_day (app_number, day, week, has_widget, devices, devices_active, active_days)
select
    history.app_number, history.day + 7 * later, history.day - 13, has_widget, case later when 0 then 10 else 0 end,
    10 - 2 * later, case when has_widget then 3 else 2 end * (10 - 2 * later)
from history
cross join generate_series(0, 4) as later
cross join unnest(array[false, true]) as has_widget
where extract(isodow from history.day) = 7
    and history.number >= 7
    and history.day + 7 * later <= date :'last_day';
insert into census.outcome_day (
    app_number, day, platform, os_version, claim_rule, suspects_settled, suspects_still_there, suspect_seconds)
select
    app_number, day, 'ios', version || '.0', rule, 10, 4, 864000
from history
cross join generate_series(14, 17) as version
cross join unnest(array['reinstall', 'fresh_install']) as rule;
insert into census.read_quarter (app_number, quarter_at, reads, reads_failed)
select
    app_number, (day + quarter * interval '15 minutes') at time zone 'UTC', 10, quarter % 2
from history
cross join generate_series(0, 95) as quarter;
insert into census.kind_act (
    app_number, surface, kind, lifecycle, actor, acted_at, devices_certain, devices_possible)
select
    app_number, 'widget', 'kind 1', lifecycle, 'tester', acted_at, 1, 1
from census.app
cross join (
    values
        ('legacy', timestamptz '2020-01-01 00:00+00'),
        ('active', '2020-01-02 00:00+00'),
        ('legacy', date :'last_day' - 20 + time '12:00' at time zone 'UTC')
) as act (lifecycle, acted_at);
insert into census.readiness (
    app_number, day, surface, kind, lifecycle, devices_certain, devices_possible, devices_expected, devices_silent,
    devices_active, devices_reporting, limit_devices, half_life_days, half_life_low, half_life_high, ready_on,
    ready_on_earliest, ready_on_latest, forecast, verdict, reason, figures)
select
    app_number, day, 'widget', 'kind 1', 'legacy', 1, 2, 1.5, 1, 1000, 900, 3, 30, 25, 40, day + 30, day + 20, day + 50,
    'At this rate it is ready soon.', 'not ready', 'It was marked yesterday.', '{}'
from history;
insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
select
    app_number, '4.0', date :'last_day' - 3, 0, :kinds, 0.01
from census.app;
insert into census.loss_watch (
    app_number, surface, kind, to_version, chance, tolerance, upgraders, lost, exposed_seconds, others, others_lost,
    others_seconds, evidence, z, devices_at_risk, state, opened_on, judged_on)
select
    app_number, 'widget', 'kind ' || kind, '4.0', 1e-6, 2, 200, 2, 17280000, 2000, 20, 172800000, 1e9, 3.5, 500,
    case kind when 1 then 'open' else 'watched' end, case kind when 1 then date :'last_day' end, date :'last_day'
from census.app
cross join generate_series(1, :kinds) as kind;
insert into census.loss_origin (
    app_number, surface, kind, to_version, from_version, upgraders, lost, exposed_seconds, others, others_lost,
    others_seconds, evidence, z, devices_at_risk)
select
    app_number, surface, kind, to_version, version || '.0', 100, 1, 8640000, 2000, 20, 172800000, 1e8, 2.5, 250
from census.loss_watch
cross join generate_series(2, 3) as version;
insert into census.pair_night (
    app_number, surface, kind, to_version, from_version, taken_at, day, is_other_os, pairs, lost, exposed_seconds)
select
    app_number, surface, kind, to_version, from_version, now(), date :'last_day', false, upgraders, lost,
    exposed_seconds
from census.loss_origin;
insert into census.kind_entry (
    app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, widgets_certain,
    widgets_possible, widgets_reported, devices_reported, widgets_suspect, widgets_gone, widgets_still_there)
select
    app_number, date :'last_day' + 1, 'widget', 'kind ' || number % :kinds + 1, 1, 2, 0, 1, 2, 2, 2, 1, 0, 0
from census.app
cross join generate_series(1, 500) as number;
insert into census.kind_unsettled_entry (
    app_number, day, surface, kind, platform, os_version, claim_rule, devices)
select
    app_number, date :'last_day' + 1, 'widget', 'kind ' || number % :kinds + 1, 'ios', '17.0', 'reinstall', 1
from census.app
cross join generate_series(1, 200) as number;
insert into census.refused (
    device_id, refused_on, digest, app_number, received_at, code, message, event_id, event)
select
    md5(app_number || ' ' || event)::uuid, day, decode(md5(code), 'hex'), app_number,
    (day + time '12:00') at time zone 'UTC', code, event || ' days older than the retention period allows', event::text,
    '{}'
from history
cross join generate_series(1, 50) as event
cross join unnest(array['too_old', 'in_future', 'unknown_type']) as code;
insert into census.warned (
    device_id, warned_on, code, app_number, occurred_at, received_at, app_version, pointer, message)
select
    md5(app_number || ' ' || phone)::uuid, day, code, app_number, (day + time '12:00') at time zone 'UTC', (day + time '12:00') at time zone 'UTC',
    '1.' || phone % 5, '/device', 'an example of ' || code
from history
cross join generate_series(1, 50) as phone
cross join unnest(array['unknown_field', 'os_version', 'boot_time']) as code;
-- The ledger above is not counted from them.
insert into census.device (
    device_id, app_number, installation_id, is_settled, is_cloned, platform, app_version, first_heard_at, last_heard_at,
    silent_at)
select
    md5(app_number || ' ' || phone)::uuid, app_number, md5(app_number || ' ' || phone)::uuid, phone % 2 = 0, false, 'ios',
    '4.0', now() - interval '1 day', now(), now() + interval '28 days'
from census.app
cross join generate_series(1, 50) as phone;
drop table history, kind_history, flow;
