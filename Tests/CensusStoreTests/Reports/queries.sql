-- The rows behind the answers in docs/guides/queries.md: those that its questions read, and no whole history.
--
-- They are made to mislead: 9, 13 and 14 November are not closed, `weather` is a kind on two surfaces, OS versions are `18.10`, `Tiramisu`
-- and none, and another app has the very same rows.
insert into census.app (app_id) values ('com.example.other');

insert into census.closed_day (app_number, day)
select
    app_number,
    day
from census.app
cross join generate_series(date '2026-11-08', '2026-11-20', '1 day') as day
where day not in ('2026-11-09', '2026-11-13', '2026-11-14');

insert into census.kind_day (
    app_number, day, surface, kind, devices_certain, devices_possible, devices_still_there, widgets_certain,
    widgets_possible, widgets_reported, devices_certain_first_known, devices_possible_first_known, devices_reported,
    widgets_suspect, widgets_gone, widgets_still_there)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-10', 'widget', 'weather', 70, 76, 0, 80, 86, 86, 70, 76, 76, 6, 4, 0),
        ('2026-11-11', 'widget', 'weather', 69, 75, 0, 79, 85, 85, 69, 75, 75, 6, 4, 0),
        ('2026-11-12', 'widget', 'weather', 68, 74, 0, 78, 84, 84, 66, 70, 74, 6, 4, 0),
        ('2026-11-15', 'widget', 'weather', 61, 65, 0, 71, 75, 75, 59, 64, 65, 4, 3, 0),
        ('2026-11-16', 'widget', 'weather', 60, 64, 0, 70, 74, 74, 59, 63, 64, 4, 3, 0),
        ('2026-11-17', 'widget', 'weather', 59, 63, 0, 69, 73, 73, 59, 63, 63, 4, 3, 0),
        ('2026-11-18', 'widget', 'weather', 58, 62, 0, 68, 72, 72, 57, 62, 62, 4, 2, 0),
        ('2026-11-19', 'widget', 'weather', 57, 61, 0, 67, 71, 71, 57, 61, 61, 4, 0, 0),
        ('2026-11-20', 'widget', 'weather', 55, 61, 2, 65, 71, 72, 55, 61, 61, 6, 0, 2),
        ('2026-11-12', 'control', 'weather', 7, 7, 0, 7, 7, 7, 7, 7, 7, 0, 0, 0),
        ('2026-11-19', 'control', 'weather', 9, 9, 0, 9, 9, 9, 9, 9, 9, 0, 0, 0),
        ('2026-11-20', 'control', 'weather', 9, 10, 1, 9, 10, 10, 9, 10, 10, 1, 0, 1),
        ('2026-11-20', 'widget', 'forecast', 200, 206, 0, 240, 246, 254, 200, 206, 206, 6, 3, 3)
) as rows;

insert into census.kind_day_unsettled (
    app_number, day, surface, kind, platform, os_version, claim_rule, devices)
select
    app_number,
    date '2026-11-20',
    'widget',
    'weather',
    'ios',
    '18.10',
    'reinstall',
    4
from census.app;

insert into census.install_day (
    app_number, day, surface, kind, family, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible, widgets_reported)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-19', 'widget', 'weather', 'systemSmall', '20.12', '18.10', 'ios', 57, 61, 67, 71, 71),
        ('2026-11-20', 'widget', 'weather', 'systemSmall', '20.12', '18.9', 'ios', 20, 24, 20, 24, 24),
        ('2026-11-20', 'widget', 'weather', 'systemMedium', '20.12', '18.9', 'ios', 10, 10, 10, 10, 10),
        ('2026-11-20', 'widget', 'weather', 'systemSmall', '20.13', '18.10', 'ios', 22, 24, 22, 24, 24),
        ('2026-11-20', 'widget', 'weather', '', '20.9', 'Tiramisu', 'android', 12, 12, 12, 12, 13),
        ('2026-11-20', 'widget', 'weather', '', '20.9', '', 'android', 1, 1, 1, 1, 1),
        ('2026-11-20', 'control', 'weather', '', '20.13', '18.10', 'ios', 9, 10, 9, 10, 10),
        ('2026-11-20', 'widget', 'forecast', 'systemSmall', '20.13', '18.10', 'ios', 200, 206, 240, 246, 254)
) as rows;

insert into census.device_day (
    app_number, day, app_version, os_version, platform, gallery_policy, devices_active, devices_with_widget,
    devices_with_widget_possible, devices_reporting, devices_cloned)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-19', '20.12', '18.10', 'ios', 0, 900, 400, 410, 810, 2),
        ('2026-11-20', '20.12', '18.9', 'ios', 0, 300, 150, 155, 270, 2),
        ('2026-11-20', '20.12', '18.10', 'ios', 0, 100, 50, 50, 100, 0),
        ('2026-11-20', '20.13', '18.10', 'ios', 0, 400, 160, 165, 380, 0),
        ('2026-11-20', '20.9', 'Tiramisu', 'android', 0, 80, 20, 35, 40, 1),
        ('2026-11-20', '20.9', '', 'android', 0, 20, 1, 5, 5, 0)
) as rows;

insert into census.widget_count_day (app_number, day, platform, widgets, devices_certain, devices_possible)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-20', 'ios', 0, 440, 430),
        ('2026-11-20', 'ios', 1, 250, 240),
        ('2026-11-20', 'ios', 2, 80, 90),
        ('2026-11-20', 'ios', 11, 30, 40),
        ('2026-11-20', 'android', 0, 79, 60),
        ('2026-11-20', 'android', 1, 15, 30),
        ('2026-11-20', 'android', 2, 6, 10)
) as rows;

insert into census.intent_day (
    app_number, day, surface, kind, intent, devices_certain, devices_possible, device_configurations)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-20', 'widget', 'weather', 'CityIntent', 45, 50, 60),
        ('2026-11-20', 'widget', 'weather', '', 12, 13, 0),
        ('2026-11-20', 'control', 'weather', '', 9, 10, 0)
) as rows;

insert into census.read_quarter (app_number, quarter_at, reads, reads_failed)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (timestamptz '2026-11-18 23:45+00', 300, 3),
        ('2026-11-20 00:00+00', 150, 30),
        ('2026-11-20 23:45+00', 150, 6)
) as rows;

insert into census.change_day (app_number, day, surface, kind, family, cause, widgets_added, widgets_removed)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-10-23', 'widget', 'weather', 'systemSmall', 'removed', 0, 50),
        ('2026-11-12', 'widget', 'weather', 'systemSmall', 'installed', 4, 0),
        ('2026-11-12', 'widget', 'weather', 'systemSmall', 'removed', 0, 3),
        ('2026-11-15', 'widget', 'weather', 'systemMedium', 'removed', 0, 3),
        ('2026-11-17', 'widget', 'weather', '', 'silent', 0, 2),
        ('2026-11-20', 'widget', 'weather', 'systemSmall', 'upgrade_loss', 0, 12),
        ('2026-11-20', 'control', 'weather', '', 'removed', 0, 1),
        ('2026-11-20', 'widget', 'forecast', 'systemSmall', 'removed', 0, 9)
) as rows;

insert into census.outcome_day (
    app_number, day, platform, os_version, claim_rule, suspects_settled, suspects_still_there, suspect_seconds)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-10', 'ios', '18.10', 'reinstall', 30, 6, 2592000),
        ('2026-11-18', 'ios', '18.10', 'reinstall', 10, 0, 864000),
        ('2026-11-12', 'ios', '18.9', 'reinstall', 40, 10, 3456000),
        ('2026-11-12', 'ios', '18.9', 'fresh_install', 500, 500, 43200000),
        ('2026-11-12', 'ios', '9.3', 'reinstall', 20, 20, 1728000),
        ('2026-11-15', 'android', 'Tiramisu', 'reinstall', 25, 5, 2160000),
        ('2026-11-16', 'android', '', 'reinstall', 12, 4, 1036800)
) as rows;

insert into census.version_day (
    app_number, day, surface, kind, app_version, os_version, platform, devices_certain, devices_possible,
    widgets_certain, widgets_possible)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-20', 'widget', 'weather', '20.12', '18.9', 'ios', 30, 34, 30, 34),
        ('2026-11-20', 'widget', 'weather', '20.13', '18.10', 'ios', 20, 22, 21, 23),
        ('2026-11-20', 'widget', 'weather', '20.13', '', 'ios', 2, 2, 2, 2),
        ('2026-11-20', 'control', 'weather', '20.13', '18.10', 'ios', 9, 10, 9, 10),
        ('2026-11-20', 'widget', 'forecast', '20.13', '18.10', 'ios', 200, 206, 240, 246)
) as rows;

insert into census.manifest (app_number, app_version, added_by, digest, source)
select
    app_number,
    '20.13',
    'anna',
    '',
    ''
from census.app;

-- 20.13 declares the control `weather`, and the widget no more.
insert into census.manifest_kind (app_number, app_version, surface, kind, migrates_from)
select
    app_number,
    '20.13',
    rows.*,
    '{}'
from census.app
cross join (values ('control', 'weather'), ('widget', 'forecast')) as rows;

insert into census.kind_act (
    app_number, surface, kind, lifecycle, actor, acted_at, devices_certain, devices_possible, replaced_by)
select
    app_number,
    'widget',
    'weather',
    'legacy',
    'anna',
    timestamptz '2026-08-01 09:00+00',
    400,
    420,
    'forecast'
from census.app;

-- As the last night read it, whenever that was: older verdicts are shown as unknown.
insert into census.readiness (
    app_number, day, surface, kind, lifecycle, devices_certain, devices_possible, devices_expected, devices_silent,
    devices_active, devices_reporting, devices_with_replacement, limit_devices, half_life_days, half_life_low,
    half_life_high, ready_on, ready_on_earliest, ready_on_latest, forecast, verdict, reason, figures)
select
    app_number,
    (now() at time zone 'UTC')::date - 1,
    'widget',
    'weather',
    'legacy',
    55,
    61,
    57.7,
    12,
    900,
    795,
    20,
    3,
    26.5,
    23.1,
    31,
    date '2027-03-14',
    date '2027-02-20',
    date '2027-04-17',
    'At this rate it will be ready at the end of 2027-03-14 (80% interval: 2027-02-20 to 2027-04-17).',
    'not ready',
    'At most 73 devices have it (61 active, 12 silent); limit: 3 (the floor; 0.03% of 900 active devices would be 0).',
    '{}'
from census.app;

insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
select
    app_number,
    rows.*,
    3,
    0.01
from census.app
cross join (values ('20.12', date '2026-10-01', 0), ('20.13', '2026-11-18', 1)) as rows;

insert into census.loss_watch (
    app_number, surface, kind, to_version, chance, tolerance, upgraders, lost, exposed_seconds, others, others_lost,
    others_seconds, evidence, z, devices_at_risk, state, opened_on, judged_on)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (
            'widget', 'weather', '20.13', 0.001, 2, 24, 12, 2073600, 500, 5, 432000000, 41000, 5.8, 34, 'open',
            date '2026-11-20', date '2026-11-20'),
        (
            'control', 'weather', '20.13', 0.001, 2, 30, 0, 2592000, 100, 0, 86400000, 1, null, 4, 'watched', null,
            '2026-11-20'),
        (
            'widget', 'forecast', '20.12', 0.001, 2, 180, 1, 15552000, 900, 9, 777600000, 0.8, 0.4, 0, 'watched', null,
            '2026-11-20')
) as rows;

insert into census.loss_origin (
    app_number, surface, kind, to_version, from_version, upgraders, lost, exposed_seconds, others, others_lost,
    others_seconds, evidence, z, devices_at_risk)
select
    app_number,
    'widget',
    'weather',
    '20.13',
    '20.12',
    24,
    12,
    2073600,
    500,
    5,
    432000000,
    41000,
    5.8,
    34
from census.app;

insert into census.warned (
    device_id, warned_on, code, app_number, occurred_at, received_at, app_version, pointer, message)
select
    md5(app.app_id || rows.day || rows.code || number)::uuid,
    rows.day,
    rows.code,
    app.app_number,
    (rows.day + time '12:00') at time zone 'UTC',
    (rows.day + time '12:00') at time zone 'UTC',
    rows.version,
    rows.pointer,
    rows.message
from census.app
cross join (
    values
        (date '2026-11-13', 'os_version', '20.12', '/device/os_version', 'before the week', 9),
        ('2026-11-19', 'os_version', '20.13', '/device/os_version',
            '`os_version` begins with a name; send the number alone, such as 26.1', 6),
        ('2026-11-20', 'os_version', '20.13', '/device/os_version',
            '`os_version` begins with a name; send the number alone, such as 26.1', 4),
        ('2026-11-19', 'unknown_field', '20.12', '/device/osVersion',
            '`osVersion` is ignored; the field is called `os_version`', 2)
) as rows (day, code, version, pointer, message, devices)
cross join generate_series(1, rows.devices) as number;

insert into census.refused (
    device_id, refused_on, digest, app_number, received_at, code, message, event_id, event)
select
    md5(app.app_id || rows.day || rows.code || number)::uuid,
    rows.day,
    decode(md5(rows.code), 'hex'),
    app.app_number,
    (rows.day + time '12:00') at time zone 'UTC',
    rows.code,
    rows.message,
    number::text,
    '{}'
from census.app
cross join (
    values
        (date '2026-11-13', 'too_old', 'the event is older than 400 days', 9),
        ('2026-11-14', 'too_old', 'the event is older than 400 days', 2),
        ('2026-11-19', 'too_old', 'the event is older than 400 days', 1),
        ('2026-11-20', 'too_many_kinds', 'the app has 1000 kinds already', 5)
) as rows (day, code, message, events)
cross join generate_series(1, rows.events) as number;

insert into census.move_day (
    app_number, day, surface, kind, cause, app_version, os_version, platform, widgets_added, widgets_removed,
    devices_added, devices_removed)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-10-23', 'widget', 'weather', 'removed', '20.12', '18.9', 'ios', 0, 50, 0, 40),
        ('2026-11-12', 'widget', 'weather', 'removed', '20.12', '18.9', 'ios', 0, 3, 0, 2),
        ('2026-11-12', 'widget', 'weather', 'removed', '20.9', 'Tiramisu', 'android', 0, 6, 0, 6),
        ('2026-11-17', 'widget', 'weather', 'silent', '20.12', '18.9', 'ios', 0, 2, 0, 2),
        ('2026-11-18', 'widget', 'weather', 'removed', '20.9', '', 'android', 0, 1, 0, 1),
        ('2026-11-19', 'widget', 'weather', 'removed', '20.13', '18.10', 'ios', 0, 2, 0, 1),
        ('2026-11-20', 'widget', 'weather', 'upgrade_loss', '20.13', '18.10', 'ios', 0, 12, 0, 12),
        ('2026-11-20', 'control', 'weather', 'removed', '20.13', '18.10', 'ios', 0, 1, 0, 1),
        ('2026-11-20', 'widget', 'forecast', 'installed', '20.13', '18.10', 'ios', 9, 0, 9, 0),
        ('2026-11-20', 'widget', 'forecast', 'configured', '20.13', '18.10', 'ios', 4, 4, 0, 0)
) as rows;

insert into census.use_day (app_number, day, surface, kind, use, devices, events)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-12', 'widget', 'weather', 'opened', 20, 50),
        ('2026-11-17', 'widget', 'weather', 'opened', 12, 18),
        ('2026-11-20', 'widget', 'weather', 'opened', 15, 45),
        ('2026-11-20', 'widget', 'weather', 'configured', 2, 2),
        ('2026-11-20', 'widget', 'weather', 'rendered', 50, 900),
        ('2026-11-20', 'control', 'weather', 'opened', 3, 9),
        ('2026-11-20', 'widget', 'forecast', 'opened', 99, 400)
) as rows;

insert into census.active_day (
    app_number, day, scope, surface, kind, family, platform, devices_daily, devices_weekly, devices_in_window)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-12', 'all', '', '', '', 'ios', 500, 800, 950),
        ('2026-11-12', 'all', '', '', '', 'android', 30, 60, 90),
        ('2026-11-12', 'surface', 'widget', '', '', 'ios', 260, 400, 450),
        ('2026-11-12', 'surface', 'widget', '', '', 'android', 8, 15, 20),
        ('2026-11-19', 'all', '', '', '', 'ios', 390, 700, 900),
        ('2026-11-19', 'surface', 'widget', '', '', 'ios', 210, 330, 400),
        ('2026-11-20', 'all', '', '', '', 'ios', 400, 650, 800),
        ('2026-11-20', 'all', '', '', '', 'android', 40, 70, 100),
        ('2026-11-20', 'surface', 'widget', '', '', 'ios', 200, 320, 360),
        ('2026-11-20', 'surface', 'widget', '', '', 'android', 10, 18, 21),
        ('2026-11-20', 'surface', 'control', '', '', 'ios', 5, 8, 9),
        ('2026-11-20', 'family', 'widget', '', 'systemSmall', 'ios', 150, 240, 260),
        ('2026-11-20', 'family', 'widget', '', 'systemMedium', 'ios', 60, 90, 110),
        ('2026-11-20', 'kind', 'widget', 'weather', '', 'ios', 30, 45, 50),
        ('2026-11-20', 'kind_family', 'widget', 'weather', 'systemSmall', 'ios', 25, 40, 42)
) as rows;

insert into census.cohort_day (
    app_number, day, surface, kind, week, devices_placed, devices_certain, devices_possible)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-08', 'widget', 'weather', date '2026-11-02', 20, 18, 19),
        ('2026-11-15', 'widget', 'weather', '2026-11-02', 0, -4, -3),
        ('2026-11-15', 'widget', 'weather', '2026-11-09', 10, 10, 10),
        ('2026-11-15', 'control', 'weather', '2026-11-09', 5, 5, 5),
        ('2026-11-15', 'widget', 'forecast', '2026-11-09', 70, 66, 68)
) as rows;

insert into census.lifetime_day (app_number, day, surface, kind, week, days, cause, devices)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-08', 'widget', 'weather', date '2026-11-02', 0, 'removed', 1),
        ('2026-11-15', 'widget', 'weather', '2026-11-02', 4, 'removed', 2),
        ('2026-11-15', 'widget', 'weather', '2026-11-02', 6, 'reinstalled', 2),
        ('2026-11-15', 'widget', 'weather', '2026-11-02', 7, 'removed', 1),
        ('2026-11-15', 'widget', 'weather', '2026-11-02', 10, 'silent', 1),
        ('2026-11-15', 'widget', 'forecast', '2026-11-09', 3, 'upgrade_loss', 2)
) as rows;

insert into census.first_widget_day (app_number, day, platform, week, outcome, days, devices)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-08', 'ios', date '2026-11-02', 'before', 0, 40),
        ('2026-11-08', 'ios', '2026-11-02', 'days', 0, 12),
        ('2026-11-08', 'ios', '2026-11-02', 'days', 2, 6),
        ('2026-11-08', 'ios', '2026-11-02', 'never', 0, 42),
        ('2026-11-15', 'ios', '2026-11-02', 'days', 9, 2),
        ('2026-11-15', 'ios', '2026-11-02', 'never', 0, -2),
        ('2026-11-15', 'ios', '2026-11-09', 'days', 1, 3),
        ('2026-11-15', 'ios', '2026-11-09', 'never', 0, 7),
        ('2026-11-08', 'android', '2026-11-02', 'days', 0, 5),
        ('2026-11-08', 'android', '2026-11-02', 'never', 0, 5)
) as rows;

insert into census.engagement_day (app_number, day, week, has_widget, devices, devices_active, active_days)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-08', date '2026-10-26', false, 60, 60, 90),
        ('2026-11-08', '2026-10-26', true, 40, 40, 100),
        ('2026-11-15', '2026-10-26', false, 0, 12, 18),
        ('2026-11-15', '2026-10-26', true, 0, 26, 52),
        ('2026-11-15', '2026-11-02', false, 50, 50, 60),
        ('2026-11-15', '2026-11-02', true, 60, 60, 150)
) as rows;

insert into census.overlap_day (app_number, day, surface, kind, other_kind, devices)
select
    app_number,
    rows.*
from census.app
cross join (
    values
        (date '2026-11-12', 'widget', 'forecast', 'weather', 12),
        ('2026-11-19', 'widget', 'forecast', 'weather', 18),
        ('2026-11-20', 'widget', 'forecast', 'weather', 20),
        ('2026-11-20', 'widget', 'search', 'weather', 5)
) as rows;
