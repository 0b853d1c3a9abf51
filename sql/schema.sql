CREATE SCHEMA census;
CREATE SCHEMA census_schema;
COMMENT ON SCHEMA census_schema IS 'The applied migrations.';
CREATE SCHEMA report;
CREATE TABLE census.acknowledgement (
    acknowledgement_number bigint NOT NULL,
    app_number integer NOT NULL,
    fingerprint text NOT NULL,
    maximum_loss bigint NOT NULL,
    until_day date NOT NULL,
    acknowledged_by text NOT NULL,
    reason text NOT NULL,
    acknowledged_at timestamp with time zone DEFAULT now() NOT NULL,
    rule text,
    surface text,
    kind text,
    app_version text,
    CONSTRAINT acknowledgement_allows_a_loss CHECK ((maximum_loss >= 0)),
    CONSTRAINT acknowledgement_fingerprint_is_one CHECK ((fingerprint ~ '^[0-9a-f]{12}$'::text))
);
COMMENT ON TABLE census.acknowledgement IS 'Lookup, append-only. Preflight findings that a person accepted; the last one of a fingerprint is valid.';
COMMENT ON COLUMN census.acknowledgement.acknowledgement_number IS 'The order in which they were given.';
COMMENT ON COLUMN census.acknowledgement.app_number IS 'The app.';
COMMENT ON COLUMN census.acknowledgement.fingerprint IS 'The finding: the first 12 hexadecimal digits of a SHA-256 over rule, app, surface, kind, old and new.';
COMMENT ON COLUMN census.acknowledgement.maximum_loss IS 'At most how many devices can lose a widget by it; if more can, it is not valid.';
COMMENT ON COLUMN census.acknowledgement.until_day IS 'The last day on which it is valid, in UTC.';
COMMENT ON COLUMN census.acknowledgement.acknowledged_by IS 'Who accepted it.';
COMMENT ON COLUMN census.acknowledgement.reason IS 'Why, in the words of the person.';
COMMENT ON COLUMN census.acknowledgement.acknowledged_at IS 'When it was accepted.';
COMMENT ON COLUMN census.acknowledgement.rule IS 'The finding''s rule, if a manifest was available; null: unknown.';
COMMENT ON COLUMN census.acknowledgement.surface IS 'The finding''s surface; null: unknown.';
COMMENT ON COLUMN census.acknowledgement.kind IS 'The finding''s kind; null: unknown.';
COMMENT ON COLUMN census.acknowledgement.app_version IS 'The version to be released; null: unknown.';
ALTER TABLE census.acknowledgement ALTER COLUMN acknowledgement_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.acknowledgement_acknowledgement_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.active_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    scope text NOT NULL COLLATE pg_catalog."C",
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    family text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    devices_daily bigint NOT NULL,
    devices_weekly bigint NOT NULL,
    devices_in_window bigint NOT NULL,
    CONSTRAINT active_day_counts CHECK (((0 <= devices_daily) AND (devices_daily <= devices_weekly) AND (devices_weekly <= devices_in_window))),
    CONSTRAINT active_day_scope_is_known CHECK ((scope = ANY (ARRAY['all'::text, 'surface'::text, 'kind'::text, 'family'::text, 'kind_family'::text])))
);
COMMENT ON TABLE census.active_day IS 'Local aggregate. Distinct devices that were active at the end of each closed day, in total and among those that certainly had something.';
COMMENT ON COLUMN census.active_day.app_number IS 'The app.';
COMMENT ON COLUMN census.active_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.active_day.scope IS 'Which devices it counts: all, or those with a widget of the surface, of the kind, of the family, or of kind and family.';
COMMENT ON COLUMN census.active_day.surface IS 'widget, control, live_activity or today; empty if the scope is all.';
COMMENT ON COLUMN census.active_day.kind IS 'The widget''s kind; empty if the scope has none.';
COMMENT ON COLUMN census.active_day.family IS 'systemSmall and so on; empty if the scope has none.';
COMMENT ON COLUMN census.active_day.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.active_day.devices_daily IS 'Devices heard from that day.';
COMMENT ON COLUMN census.active_day.devices_weekly IS 'Devices heard from in the seven days ending that day.';
COMMENT ON COLUMN census.active_day.devices_in_window IS 'Devices heard from in the activity window ending that day.';
CREATE TABLE census.active_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    scope text NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    family text NOT NULL,
    platform text NOT NULL,
    devices_daily bigint NOT NULL,
    devices_weekly bigint NOT NULL,
    devices_in_window bigint NOT NULL
);
COMMENT ON TABLE census.active_entry IS 'Local queue. Net changes of active_day that no night has processed; each changes this day and all later ones.';
COMMENT ON COLUMN census.active_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.active_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.active_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.active_entry.scope IS 'Which devices it counts: all, or those with a widget of the surface, of the kind, of the family, or of kind and family.';
COMMENT ON COLUMN census.active_entry.surface IS 'widget, control, live_activity or today; empty if the scope is all.';
COMMENT ON COLUMN census.active_entry.kind IS 'The widget''s kind; empty if the scope has none.';
COMMENT ON COLUMN census.active_entry.family IS 'systemSmall and so on; empty if the scope has none.';
COMMENT ON COLUMN census.active_entry.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.active_entry.devices_daily IS 'Devices heard from that day.';
COMMENT ON COLUMN census.active_entry.devices_weekly IS 'Devices heard from in the seven days ending that day.';
COMMENT ON COLUMN census.active_entry.devices_in_window IS 'Devices heard from in the activity window ending that day.';
ALTER TABLE census.active_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.active_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.api_key (
    key_hash bytea NOT NULL,
    app_number integer NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone,
    channel text,
    holder text,
    CONSTRAINT api_key_channel_never_counts CHECK (((channel IS NULL) OR ((channel <> 'production'::text) AND (role = 'write'::text)))),
    CONSTRAINT api_key_role_is_known CHECK ((role = ANY (ARRAY['write'::text, 'read'::text, 'release'::text, 'manage'::text])))
);
COMMENT ON TABLE census.api_key IS 'Lookup. The keys that were issued; the keys themselves are not stored.';
COMMENT ON COLUMN census.api_key.key_hash IS 'SHA-256 of the key.';
COMMENT ON COLUMN census.api_key.app_number IS 'The app that the key belongs to.';
COMMENT ON COLUMN census.api_key.role IS 'write: included in apps; read: console and reports; release: manifests; manage: acts in the console.';
COMMENT ON COLUMN census.api_key.created_at IS 'When the key was made.';
COMMENT ON COLUMN census.api_key.revoked_at IS 'When it was revoked; null: it is valid.';
COMMENT ON COLUMN census.api_key.channel IS 'Channel of everything sent with it, whatever the batch says; null: the channel of the batch.';
COMMENT ON COLUMN census.api_key.holder IS 'The person who has it, whose name signs the acts that are made with it; null: unknown.';
CREATE TABLE census.app (
    app_number integer NOT NULL,
    app_id text NOT NULL COLLATE pg_catalog."C",
    zone text DEFAULT 'UTC'::text NOT NULL,
    window_days integer DEFAULT 28 NOT NULL,
    maximum_kinds integer DEFAULT 1000 NOT NULL,
    maximum_families integer DEFAULT 100 NOT NULL,
    limit_devices integer DEFAULT 1000 NOT NULL,
    limit_share double precision DEFAULT 0.0003 NOT NULL,
    ready_days integer DEFAULT 14 NOT NULL,
    minimum_coverage double precision DEFAULT 0.9 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    doubted_builds text[] DEFAULT '{}'::text[] NOT NULL,
    false_alarms double precision DEFAULT 0.01 NOT NULL,
    CONSTRAINT app_coverage_is_a_share CHECK (((minimum_coverage >= (0)::double precision) AND (minimum_coverage <= (1)::double precision))),
    CONSTRAINT app_false_alarms_are_a_budget CHECK (((false_alarms >= (0.000001)::double precision) AND (false_alarms <= (10)::double precision))),
    CONSTRAINT app_id_has_length CHECK (((length(app_id) >= 1) AND (length(app_id) <= 200))),
    CONSTRAINT app_limits_are_sane CHECK (((limit_devices >= 0) AND ((limit_share >= (0)::double precision) AND (limit_share <= (1)::double precision)))),
    CONSTRAINT app_ready_days_are_sane CHECK (((ready_days >= 1) AND (ready_days <= 400))),
    CONSTRAINT app_window_is_sane CHECK (((window_days >= 1) AND (window_days <= 400)))
);
COMMENT ON TABLE census.app IS 'Lookup. One application: the tenant, and its settings.';
COMMENT ON COLUMN census.app.app_number IS 'Represents app_id in the large tables.';
COMMENT ON COLUMN census.app.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN census.app.zone IS 'IANA time zone in which the days of the reports begin and end.';
COMMENT ON COLUMN census.app.window_days IS 'Days for which a device counts after it was last heard from, including that day.';
COMMENT ON COLUMN census.app.maximum_kinds IS 'Distinct widget kinds accepted from clients; further ones are refused as too_many_kinds.';
COMMENT ON COLUMN census.app.maximum_families IS 'Distinct families accepted from clients; further ones count as (other).';
COMMENT ON COLUMN census.app.limit_devices IS 'A legacy kind is ready when at most this many devices possibly have it ...';
COMMENT ON COLUMN census.app.limit_share IS '... and at most this share of the active devices, but three devices are always allowed ...';
COMMENT ON COLUMN census.app.ready_days IS '... on this many consecutive days that have ended and are closed ...';
COMMENT ON COLUMN census.app.minimum_coverage IS '... and at least this share of the active devices sent a successful report within the window.';
COMMENT ON COLUMN census.app.created_at IS 'When the app was added.';
COMMENT ON COLUMN census.app.doubted_builds IS 'OS builds whose lists are not trusted, such as the betas of iOS 14.0: what they list is only possible.';
COMMENT ON COLUMN census.app.false_alarms IS 'How many false incidents of mass loss a year are acceptable.';
ALTER TABLE census.app ALTER COLUMN app_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.app_app_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.app_night (
    app_number integer NOT NULL,
    closed_at timestamp with time zone,
    fault text,
    failure text,
    failed_at timestamp with time zone,
    is_doubted boolean DEFAULT false NOT NULL,
    recounted_at timestamp with time zone,
    CONSTRAINT app_night_failure_is_whole CHECK ((((fault IS NULL) = (failure IS NULL)) AND ((fault IS NULL) = (failed_at IS NULL)))),
    CONSTRAINT app_night_fault_is_known CHECK ((fault = ANY (ARRAY['away'::text, 'data'::text, 'set_up'::text, 'ours'::text])))
);
COMMENT ON TABLE census.app_night IS 'Local. The result of the last night for each app.';
COMMENT ON COLUMN census.app_night.app_number IS 'The app.';
COMMENT ON COLUMN census.app_night.closed_at IS 'When its days were last closed.';
COMMENT ON COLUMN census.app_night.fault IS 'Why they have not been closed since: away, data, set_up or ours; null: they have.';
COMMENT ON COLUMN census.app_night.failure IS 'The reason as a sentence, without data.';
COMMENT ON COLUMN census.app_night.failed_at IS 'When closing failed.';
COMMENT ON COLUMN census.app_night.is_doubted IS 'Whether the next night recounts its ledger from the spans before it closes a day.';
COMMENT ON COLUMN census.app_night.recounted_at IS 'When its ledger was last recounted.';
CREATE TABLE census.change_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    family text NOT NULL COLLATE pg_catalog."C",
    cause text NOT NULL COLLATE pg_catalog."C",
    widgets_added bigint NOT NULL,
    widgets_removed bigint NOT NULL,
    CONSTRAINT change_day_counts CHECK (((widgets_added >= 0) AND (widgets_removed >= 0)))
);
COMMENT ON TABLE census.change_day IS 'Local aggregate. Certain placements added and removed on each closed day, by cause.';
COMMENT ON COLUMN census.change_day.app_number IS 'The app.';
COMMENT ON COLUMN census.change_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.change_day.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.change_day.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.change_day.family IS 'systemSmall and so on; empty if the app does not send it.';
COMMENT ON COLUMN census.change_day.cause IS 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten.';
COMMENT ON COLUMN census.change_day.widgets_added IS 'Placements that became certain.';
COMMENT ON COLUMN census.change_day.widgets_removed IS 'Placements that stopped being certain.';
CREATE TABLE census.change_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    family text NOT NULL,
    cause text NOT NULL,
    widgets_added bigint NOT NULL,
    widgets_removed bigint NOT NULL
);
COMMENT ON TABLE census.change_entry IS 'Local queue. Net changes of change_day that no night has processed; each changes only this day.';
COMMENT ON COLUMN census.change_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.change_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.change_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.change_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.change_entry.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.change_entry.family IS 'systemSmall and so on; empty if the app does not send it.';
COMMENT ON COLUMN census.change_entry.cause IS 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten.';
COMMENT ON COLUMN census.change_entry.widgets_added IS 'Placements that became certain.';
COMMENT ON COLUMN census.change_entry.widgets_removed IS 'Placements that stopped being certain.';
ALTER TABLE census.change_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.change_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.closed_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    closed_at timestamp with time zone DEFAULT now() NOT NULL,
    restated_at timestamp with time zone
);
COMMENT ON TABLE census.closed_day IS 'Local. The days that the nightly job has closed.';
COMMENT ON COLUMN census.closed_day.app_number IS 'The app.';
COMMENT ON COLUMN census.closed_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.closed_day.closed_at IS 'When it was first closed.';
COMMENT ON COLUMN census.closed_day.restated_at IS 'When late data last changed it.';
CREATE TABLE census.cohort_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    week date NOT NULL,
    devices_placed bigint NOT NULL,
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL,
    CONSTRAINT cohort_day_ends_a_week CHECK (((EXTRACT(isodow FROM day) = (7)::numeric) AND (EXTRACT(isodow FROM week) = (1)::numeric) AND (week < day)))
);
COMMENT ON TABLE census.cohort_day IS 'Local aggregate. How each week that has ended changed the devices that placed a kind in one week; their number is the sum over all weeks.';
COMMENT ON COLUMN census.cohort_day.app_number IS 'The app.';
COMMENT ON COLUMN census.cohort_day.day IS 'Sunday that ends the week, in the app''s time zone.';
COMMENT ON COLUMN census.cohort_day.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.cohort_day.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.cohort_day.week IS 'Monday of the week in which the devices first placed the kind.';
COMMENT ON COLUMN census.cohort_day.devices_placed IS 'The number of devices in that week; in later weeks 0, or a change by late data.';
COMMENT ON COLUMN census.cohort_day.devices_certain IS 'Change during the week of how many certainly have the kind.';
COMMENT ON COLUMN census.cohort_day.devices_possible IS 'Change during the week of how many certainly or possibly have it.';
CREATE TABLE census.cohort_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    week date NOT NULL,
    devices_placed bigint NOT NULL,
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL
);
COMMENT ON TABLE census.cohort_entry IS 'Local queue. Net changes of cohort_day that no night has processed; each changes only this week.';
COMMENT ON COLUMN census.cohort_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.cohort_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.cohort_entry.day IS 'Sunday that ends the week, in the app''s time zone.';
COMMENT ON COLUMN census.cohort_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.cohort_entry.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.cohort_entry.week IS 'Monday of the week in which the devices first placed the kind.';
COMMENT ON COLUMN census.cohort_entry.devices_placed IS 'The number of devices in that week; in later weeks 0, or a change by late data.';
COMMENT ON COLUMN census.cohort_entry.devices_certain IS 'Change during the week of how many certainly have the kind.';
COMMENT ON COLUMN census.cohort_entry.devices_possible IS 'Change during the week of how many certainly or possibly have it.';
ALTER TABLE census.cohort_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.cohort_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.device (
    device_id uuid NOT NULL,
    app_number integer NOT NULL,
    installation_id uuid NOT NULL,
    is_settled boolean NOT NULL,
    is_cloned boolean NOT NULL,
    platform text NOT NULL,
    os_version text,
    app_version text NOT NULL,
    first_heard_at timestamp with time zone NOT NULL,
    last_heard_at timestamp with time zone NOT NULL,
    last_report_at timestamp with time zone,
    silent_at timestamp with time zone NOT NULL,
    checkpoint bytea,
    folded_through timestamp with time zone,
    last_ordinal integer DEFAULT 0 NOT NULL,
    zone text,
    reporting_until timestamp with time zone,
    due_at timestamp with time zone,
    legacy_kinds integer DEFAULT 0 NOT NULL,
    widgets_until timestamp with time zone,
    controls_until timestamp with time zone,
    activities_until timestamp with time zone,
    CONSTRAINT device_times_are_ordered CHECK (((first_heard_at <= last_heard_at) AND (last_heard_at < silent_at)))
)
WITH (fillfactor='80');
COMMENT ON TABLE census.device IS 'Device. Each device as of its last reconciled observation.';
COMMENT ON COLUMN census.device.device_id IS 'Keyed hash of the app and the device id.';
COMMENT ON COLUMN census.device.app_number IS 'The app.';
COMMENT ON COLUMN census.device.installation_id IS 'Keyed hash of the current installation.';
COMMENT ON COLUMN census.device.is_settled IS 'The device has booted since the app''s first launch, so its lists are true.';
COMMENT ON COLUMN census.device.is_cloned IS 'An installation that had ended kept sending.';
COMMENT ON COLUMN census.device.platform IS 'As last sent.';
COMMENT ON COLUMN census.device.os_version IS 'As last sent.';
COMMENT ON COLUMN census.device.app_version IS 'As last sent.';
COMMENT ON COLUMN census.device.first_heard_at IS 'Time of the first observation.';
COMMENT ON COLUMN census.device.last_heard_at IS 'Time of the last one.';
COMMENT ON COLUMN census.device.last_report_at IS 'Time of the last successful report in the current installation.';
COMMENT ON COLUMN census.device.silent_at IS 'When the device leaves all counts, unless it is heard from before.';
COMMENT ON COLUMN census.device.checkpoint IS 'The fold''s state after the last reconciled observation. If it is null, or from other rules, the device is folded again from its base.';
COMMENT ON COLUMN census.device.folded_through IS 'The latest corrected time that is in the checkpoint; later observations are folded onto it.';
COMMENT ON COLUMN census.device.last_ordinal IS 'The highest ordinal among the device''s spans.';
COMMENT ON COLUMN census.device.zone IS 'Zone by whose days its net changes were entered; null: it was not counted yet.';
COMMENT ON COLUMN census.device.reporting_until IS 'Until when its last successful report of any installation counts; null: no report succeeded.';
COMMENT ON COLUMN census.device.due_at IS 'When to apply the next time-based change (silent_at, reporting_until), or earlier. Changes before it are entered; null: all are entered.';
COMMENT ON COLUMN census.device.legacy_kinds IS 'No longer used: overlaps of all kinds are counted.';
COMMENT ON COLUMN census.device.widgets_until IS 'When its newest successful list of widgets from this installation gets older than the activity window; null: it sent none.';
COMMENT ON COLUMN census.device.controls_until IS 'The same for controls.';
COMMENT ON COLUMN census.device.activities_until IS 'The same for live activities.';
CREATE VIEW census.counted_device AS
 SELECT device.device_id,
    device.app_number,
    device.zone,
        CASE
            WHEN ((device.due_at IS NULL) OR (device.silent_at < device.due_at)) THEN device.silent_at
            ELSE NULL::timestamp with time zone
        END AS silent_at,
        CASE
            WHEN ((device.due_at IS NULL) OR (device.reporting_until < device.due_at)) THEN device.reporting_until
            ELSE NULL::timestamp with time zone
        END AS lapsed_at,
    device.due_at
   FROM census.device
  WHERE (device.zone IS NOT NULL);
COMMENT ON VIEW census.counted_device IS 'Devices as the ledger counts them.';
COMMENT ON COLUMN census.counted_device.device_id IS 'Keyed hash of the app and the device id.';
COMMENT ON COLUMN census.counted_device.app_number IS 'The app.';
COMMENT ON COLUMN census.counted_device.zone IS 'Time zone whose days it is counted by.';
COMMENT ON COLUMN census.counted_device.silent_at IS 'When it left all counts; null: it is still counted.';
COMMENT ON COLUMN census.counted_device.lapsed_at IS 'When its last successful report stopped counting; null: it still counts, or there was none.';
COMMENT ON COLUMN census.counted_device.due_at IS 'Time-based changes from this time on are not entered yet; null: all are entered.';
CREATE TABLE census.deployment (
    is_single boolean DEFAULT true NOT NULL,
    secret_fingerprint bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT deployment_is_single CHECK (is_single)
);
COMMENT ON TABLE census.deployment IS 'Lookup. Facts that never change for this database; one row.';
COMMENT ON COLUMN census.deployment.is_single IS 'Always true: there is one row.';
COMMENT ON COLUMN census.deployment.secret_fingerprint IS 'SHA-256 of the key with which ids are hashed; with another key, every device would count twice.';
COMMENT ON COLUMN census.deployment.created_at IS 'When the database was first used.';
CREATE TABLE census.device_base (
    device_id uuid NOT NULL,
    app_number integer NOT NULL,
    folded_through timestamp with time zone NOT NULL,
    state bytea NOT NULL
);
COMMENT ON TABLE census.device_base IS 'Device. The state that a device''s observations led to that are no longer kept; late data is folded onto it.';
COMMENT ON COLUMN census.device_base.device_id IS 'Keyed hash of the app and the device id.';
COMMENT ON COLUMN census.device_base.app_number IS 'The app.';
COMMENT ON COLUMN census.device_base.folded_through IS 'Observations up to this time are no longer needed.';
COMMENT ON COLUMN census.device_base.state IS 'The fold''s state then, in any format and under any rules. It is evidence that cannot be recreated.';
CREATE TABLE census.device_cohort (
    device_id uuid NOT NULL,
    app_number integer NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    held_from timestamp with time zone NOT NULL,
    week date,
    ended_at timestamp with time zone,
    ended_cause text,
    CONSTRAINT device_cohort_end_has_a_cause CHECK (((ended_at IS NULL) = (ended_cause IS NULL))),
    CONSTRAINT device_cohort_week_begins CHECK ((EXTRACT(isodow FROM week) = (1)::numeric))
);
COMMENT ON TABLE census.device_cohort IS 'Device. When each device first placed a kind, and when it first sent a list of each surface.';
COMMENT ON COLUMN census.device_cohort.device_id IS 'Keyed hash of the app and the device id.';
COMMENT ON COLUMN census.device_cohort.app_number IS 'The app.';
COMMENT ON COLUMN census.device_cohort.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.device_cohort.kind IS 'The widget''s kind; empty: the row is about the surface''s first list.';
COMMENT ON COLUMN census.device_cohort.held_from IS 'When it first had the kind, certainly or possibly, or when the surface''s first list arrived; on the server''s clock.';
COMMENT ON COLUMN census.device_cohort.week IS 'Monday of that week; null: unknown, because the kind was in the first list of its surface, or used before.';
COMMENT ON COLUMN census.device_cohort.ended_at IS 'From when on it held none of the kind for the first time, neither certainly nor possibly; null: it has held some ever since, or is silent.';
COMMENT ON COLUMN census.device_cohort.ended_cause IS 'Why: removed, configured, reinstalled, upgrade_loss or forgotten; silent: it went silent, and returned with the kind or without.';
CREATE TABLE census.device_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    app_version text NOT NULL COLLATE pg_catalog."C",
    os_version text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    gallery_policy bigint NOT NULL,
    devices_active bigint NOT NULL,
    devices_with_widget bigint NOT NULL,
    devices_reporting bigint NOT NULL,
    devices_cloned bigint NOT NULL,
    devices_with_widget_possible bigint DEFAULT 0 NOT NULL,
    CONSTRAINT device_day_counts_are_within CHECK ((((devices_with_widget >= 0) AND (devices_with_widget <= devices_active)) AND ((devices_reporting >= 0) AND (devices_reporting <= devices_active)) AND ((devices_cloned >= 0) AND (devices_cloned <= devices_active))))
);
COMMENT ON TABLE census.device_day IS 'Local aggregate. Devices heard from in the activity window that ended with each closed day; each device is in one row per day.';
COMMENT ON COLUMN census.device_day.app_number IS 'The app.';
COMMENT ON COLUMN census.device_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.device_day.app_version IS 'App version on the device when the day ended.';
COMMENT ON COLUMN census.device_day.os_version IS 'OS version, major and minor; empty if not sent.';
COMMENT ON COLUMN census.device_day.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.device_day.gallery_policy IS 'Version of the gallery policy that the device had applied; 0: none.';
COMMENT ON COLUMN census.device_day.devices_active IS 'Devices heard from within the window.';
COMMENT ON COLUMN census.device_day.devices_with_widget IS 'Of devices_active, certainly had a placement on the surface widget or today.';
COMMENT ON COLUMN census.device_day.devices_reporting IS 'Of these, sent a successful report within the window.';
COMMENT ON COLUMN census.device_day.devices_cloned IS 'Of these, known to exist twice: an installation that had ended kept sending.';
COMMENT ON COLUMN census.device_day.devices_with_widget_possible IS 'Of devices_active, certainly or possibly had a placement on the surface widget or today.';
CREATE TABLE census.device_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    app_version text NOT NULL,
    os_version text NOT NULL,
    platform text NOT NULL,
    gallery_policy bigint NOT NULL,
    devices_active bigint NOT NULL,
    devices_with_widget bigint NOT NULL,
    devices_reporting bigint NOT NULL,
    devices_cloned bigint NOT NULL,
    devices_with_widget_possible bigint DEFAULT 0 NOT NULL
);
COMMENT ON TABLE census.device_entry IS 'Local queue. Net changes of device_day that no night has processed; each changes this day and all later ones.';
COMMENT ON COLUMN census.device_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.device_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.device_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.device_entry.app_version IS 'App version on the device when the day ended.';
COMMENT ON COLUMN census.device_entry.os_version IS 'OS version, major and minor; empty if not sent.';
COMMENT ON COLUMN census.device_entry.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.device_entry.gallery_policy IS 'Version of the gallery policy that the device had applied; 0: none.';
COMMENT ON COLUMN census.device_entry.devices_active IS 'Devices heard from within the window.';
COMMENT ON COLUMN census.device_entry.devices_with_widget IS 'Of devices_active, certainly had a placement on the surface widget or today.';
COMMENT ON COLUMN census.device_entry.devices_reporting IS 'Of these, sent a successful report within the window.';
COMMENT ON COLUMN census.device_entry.devices_cloned IS 'Of these, known to exist twice: an installation that had ended kept sending.';
COMMENT ON COLUMN census.device_entry.devices_with_widget_possible IS 'Of devices_active, certainly or possibly had a placement on the surface widget or today.';
ALTER TABLE census.device_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.device_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.device_use (
    device_id uuid NOT NULL,
    app_number integer NOT NULL,
    month date NOT NULL,
    use text NOT NULL COLLATE pg_catalog."C",
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    days smallint[] NOT NULL,
    events bigint[] NOT NULL,
    CONSTRAINT device_use_days_have_events CHECK (((cardinality(days) = cardinality(events)) AND (cardinality(days) > 0))),
    CONSTRAINT device_use_is_known CHECK ((use = ANY (ARRAY['heard'::text, 'opened'::text, 'configured'::text, 'rendered'::text, 'installed'::text, 'removed'::text]))),
    CONSTRAINT device_use_month_begins CHECK ((EXTRACT(day FROM month) = (1)::numeric))
)
WITH (fillfactor='80');
COMMENT ON TABLE census.device_use IS 'Device. On which days of a month a device was heard from, and used widgets of a kind.';
COMMENT ON COLUMN census.device_use.device_id IS 'Keyed hash of the app and the device id.';
COMMENT ON COLUMN census.device_use.app_number IS 'The app.';
COMMENT ON COLUMN census.device_use.month IS 'First day of the month.';
COMMENT ON COLUMN census.device_use.use IS 'heard (any event came), opened, configured, rendered, installed or removed.';
COMMENT ON COLUMN census.device_use.surface IS 'widget, control, live_activity or today; empty for heard.';
COMMENT ON COLUMN census.device_use.kind IS 'The widget''s kind; empty for heard.';
COMMENT ON COLUMN census.device_use.days IS 'Days of the month, starting with 1, in the zone by which the device is counted.';
COMMENT ON COLUMN census.device_use.events IS 'Number of events on each of the days; for heard only whether there were any.';
CREATE TABLE census.engagement_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    week date NOT NULL,
    has_widget boolean NOT NULL,
    devices bigint NOT NULL,
    devices_active bigint NOT NULL,
    active_days bigint NOT NULL,
    CONSTRAINT engagement_day_ends_a_week CHECK (((EXTRACT(isodow FROM day) = (7)::numeric) AND (EXTRACT(isodow FROM week) = (1)::numeric) AND (week < day)))
);
COMMENT ON TABLE census.engagement_day IS 'Local aggregate. On how many days devices first heard from in one week were heard from, by the weeks since each was.';
COMMENT ON COLUMN census.engagement_day.app_number IS 'The app.';
COMMENT ON COLUMN census.engagement_day.day IS 'The Sunday by which that week has ended for all of them, in the app''s zone: 13 days after the Monday for the first seven days of each.';
COMMENT ON COLUMN census.engagement_day.week IS 'The Monday of the week in which the devices were first heard from.';
COMMENT ON COLUMN census.engagement_day.has_widget IS 'Whether they held a widget, certainly or possibly, at some time in their first seven days.';
COMMENT ON COLUMN census.engagement_day.devices IS 'In the first row of a cohort: how many they are; otherwise 0.';
COMMENT ON COLUMN census.engagement_day.devices_active IS 'Of these, heard from in that week.';
COMMENT ON COLUMN census.engagement_day.active_days IS 'The days on which they were, added up.';
CREATE TABLE census.engagement_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    week date NOT NULL,
    has_widget boolean NOT NULL,
    devices bigint NOT NULL,
    devices_active bigint NOT NULL,
    active_days bigint NOT NULL
);
COMMENT ON TABLE census.engagement_entry IS 'Local queue. Net changes of engagement_day: what in this week is more or less.';
COMMENT ON COLUMN census.engagement_entry.entry_number IS 'Tells entries apart; no order.';
COMMENT ON COLUMN census.engagement_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.engagement_entry.day IS 'The Sunday by which that week has ended for all of them, in the app''s zone: 13 days after the Monday for the first seven days of each.';
COMMENT ON COLUMN census.engagement_entry.week IS 'The Monday of the week in which the devices were first heard from.';
COMMENT ON COLUMN census.engagement_entry.has_widget IS 'Whether they held a widget, certainly or possibly, at some time in their first seven days.';
COMMENT ON COLUMN census.engagement_entry.devices IS 'In the first row of a cohort: how many they are; otherwise 0.';
COMMENT ON COLUMN census.engagement_entry.devices_active IS 'Of these, heard from in that week.';
COMMENT ON COLUMN census.engagement_entry.active_days IS 'The days on which they were, added up.';
ALTER TABLE census.engagement_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.engagement_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.first_widget_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    week date NOT NULL,
    outcome text NOT NULL COLLATE pg_catalog."C",
    days bigint NOT NULL,
    devices bigint NOT NULL,
    CONSTRAINT first_widget_day_ends_a_week CHECK (((EXTRACT(isodow FROM day) = (7)::numeric) AND (EXTRACT(isodow FROM week) = (1)::numeric) AND (week < day))),
    CONSTRAINT first_widget_day_outcome_is_known CHECK ((outcome = ANY (ARRAY['before'::text, 'days'::text, 'later'::text, 'never'::text])))
);
COMMENT ON TABLE census.first_widget_day IS 'Local aggregate. What each week that has ended changed of the devices first heard from in one week, by how soon they held a widget; their number is the sum of all weeks.';
COMMENT ON COLUMN census.first_widget_day.app_number IS 'The app.';
COMMENT ON COLUMN census.first_widget_day.day IS 'The Sunday that ends the week, in the app''s zone.';
COMMENT ON COLUMN census.first_widget_day.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.first_widget_day.week IS 'The Monday of the week in which the devices were first heard from.';
COMMENT ON COLUMN census.first_widget_day.outcome IS 'before (the first list already had a widget), days, later, or never (none yet).';
COMMENT ON COLUMN census.first_widget_day.days IS 'If the outcome is days: from the first day heard from until a widget was first held, 0 to 28; otherwise 0.';
COMMENT ON COLUMN census.first_widget_day.devices IS 'By how many distinct devices their number changed in the week; negative where they moved to another outcome.';
CREATE TABLE census.first_widget_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    week date NOT NULL,
    outcome text NOT NULL COLLATE pg_catalog."C",
    days bigint NOT NULL,
    devices bigint NOT NULL
);
COMMENT ON TABLE census.first_widget_entry IS 'Local queue. Net changes of first_widget_day: what in this week is more or less.';
COMMENT ON COLUMN census.first_widget_entry.entry_number IS 'Tells entries apart; no order.';
COMMENT ON COLUMN census.first_widget_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.first_widget_entry.day IS 'The Sunday that ends the week, in the app''s zone.';
COMMENT ON COLUMN census.first_widget_entry.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.first_widget_entry.week IS 'The Monday of the week in which the devices were first heard from.';
COMMENT ON COLUMN census.first_widget_entry.outcome IS 'before (the first list already had a widget), days, later, or never (none yet).';
COMMENT ON COLUMN census.first_widget_entry.days IS 'If the outcome is days: from the first day heard from until a widget was first held, 0 to 28; otherwise 0.';
COMMENT ON COLUMN census.first_widget_entry.devices IS 'By how many distinct devices their number changed in the week; negative where they moved to another outcome.';
ALTER TABLE census.first_widget_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.first_widget_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.forgotten (
    device_hash bytea NOT NULL,
    app_number integer NOT NULL,
    forgotten_at timestamp with time zone NOT NULL,
    erasing_device_id uuid,
    CONSTRAINT forgotten_hash_is_one CHECK ((length(device_hash) = 32))
);
COMMENT ON TABLE census.forgotten IS 'Local. Forgotten devices. Their events are accepted and dropped until retention ends.';
COMMENT ON COLUMN census.forgotten.device_hash IS 'SHA-256 of the device_id that it had.';
COMMENT ON COLUMN census.forgotten.app_number IS 'The app.';
COMMENT ON COLUMN census.forgotten.forgotten_at IS 'When the erasure was last requested.';
COMMENT ON COLUMN census.forgotten.erasing_device_id IS 'The device_id while something about the device might still be stored; null: everything is deleted.';
CREATE TABLE census.holder_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    cause text NOT NULL COLLATE pg_catalog."C",
    devices_added bigint NOT NULL,
    devices_removed bigint NOT NULL,
    CONSTRAINT holder_day_counts CHECK (((devices_added >= 0) AND (devices_removed >= 0)))
);
COMMENT ON TABLE census.holder_day IS 'Local. Empty and no longer used; replaced by move_day.';
COMMENT ON COLUMN census.holder_day.app_number IS 'The app.';
COMMENT ON COLUMN census.holder_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.holder_day.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.holder_day.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.holder_day.cause IS 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten; the first by name if placements have several causes.';
COMMENT ON COLUMN census.holder_day.devices_added IS 'Devices on which the kind became certain.';
COMMENT ON COLUMN census.holder_day.devices_removed IS 'Devices on which the kind stopped being certain.';
CREATE TABLE census.holder_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    cause text NOT NULL,
    devices_added bigint NOT NULL,
    devices_removed bigint NOT NULL
);
COMMENT ON TABLE census.holder_entry IS 'Local. Empty and no longer used; replaced by move_entry.';
COMMENT ON COLUMN census.holder_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.holder_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.holder_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.holder_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.holder_entry.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.holder_entry.cause IS 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten; the first by name if placements have several causes.';
COMMENT ON COLUMN census.holder_entry.devices_added IS 'Devices on which the kind became certain.';
COMMENT ON COLUMN census.holder_entry.devices_removed IS 'Devices on which the kind stopped being certain.';
ALTER TABLE census.holder_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.holder_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.install_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    family text NOT NULL,
    app_version text NOT NULL,
    os_version text NOT NULL,
    platform text NOT NULL,
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL,
    widgets_certain bigint NOT NULL,
    widgets_possible bigint NOT NULL,
    widgets_reported bigint NOT NULL,
    cell bytea GENERATED ALWAYS AS ("substring"(sha256((replace(((((((((((((((((length(surface))::text || ' '::text) || surface) || (length(kind))::text) || ' '::text) || kind) || (length(family))::text) || ' '::text) || family) || (length(app_version))::text) || ' '::text) || app_version) || (length(os_version))::text) || ' '::text) || os_version) || platform), '\'::text, '\\'::text))::bytea), 1, 16)) STORED NOT NULL,
    CONSTRAINT install_day_bounds_are_ordered CHECK (((0 <= devices_certain) AND (devices_certain <= devices_possible) AND (0 <= widgets_certain) AND (widgets_certain <= widgets_possible) AND (0 <= widgets_reported)))
);
COMMENT ON TABLE census.install_day IS 'Local aggregate. Devices and widgets at the end of each closed day, by family, versions and platform; rows of zeros are deleted.';
COMMENT ON COLUMN census.install_day.app_number IS 'The app.';
COMMENT ON COLUMN census.install_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.install_day.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.install_day.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.install_day.family IS 'systemSmall and so on; empty if the app does not send it.';
COMMENT ON COLUMN census.install_day.app_version IS 'App version on the device when the day ended.';
COMMENT ON COLUMN census.install_day.os_version IS 'OS version, major and minor; empty if not sent.';
COMMENT ON COLUMN census.install_day.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.install_day.devices_certain IS 'At least this many devices had it.';
COMMENT ON COLUMN census.install_day.devices_possible IS 'At most this many devices had it.';
COMMENT ON COLUMN census.install_day.widgets_certain IS 'Certain placements.';
COMMENT ON COLUMN census.install_day.widgets_possible IS 'Certain or possible placements.';
COMMENT ON COLUMN census.install_day.widgets_reported IS 'Placements that the OS listed.';
COMMENT ON COLUMN census.install_day.cell IS 'Represents the six columns after the day: the first 16 bytes of a SHA-256.';
CREATE TABLE census.install_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    family text NOT NULL,
    app_version text NOT NULL,
    os_version text NOT NULL,
    platform text NOT NULL,
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL,
    widgets_certain bigint NOT NULL,
    widgets_possible bigint NOT NULL,
    widgets_reported bigint NOT NULL,
    cell bytea GENERATED ALWAYS AS ("substring"(sha256((replace(((((((((((((((((length(surface))::text || ' '::text) || surface) || (length(kind))::text) || ' '::text) || kind) || (length(family))::text) || ' '::text) || family) || (length(app_version))::text) || ' '::text) || app_version) || (length(os_version))::text) || ' '::text) || os_version) || platform), '\'::text, '\\'::text))::bytea), 1, 16)) STORED NOT NULL
);
COMMENT ON TABLE census.install_entry IS 'Local queue. Net changes of install_day that no night has processed; each changes this day and all later ones.';
COMMENT ON COLUMN census.install_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.install_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.install_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.install_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.install_entry.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.install_entry.family IS 'systemSmall and so on; empty if the app does not send it.';
COMMENT ON COLUMN census.install_entry.app_version IS 'App version on the device when the day ended.';
COMMENT ON COLUMN census.install_entry.os_version IS 'OS version, major and minor; empty if not sent.';
COMMENT ON COLUMN census.install_entry.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.install_entry.devices_certain IS 'Net change of devices_certain.';
COMMENT ON COLUMN census.install_entry.devices_possible IS 'Net change of devices_possible.';
COMMENT ON COLUMN census.install_entry.widgets_certain IS 'Certain placements.';
COMMENT ON COLUMN census.install_entry.widgets_possible IS 'Certain or possible placements.';
COMMENT ON COLUMN census.install_entry.widgets_reported IS 'Placements that the OS listed.';
COMMENT ON COLUMN census.install_entry.cell IS 'Represents the six columns after the day: the first 16 bytes of a SHA-256.';
ALTER TABLE census.install_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.install_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.intent_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    intent text NOT NULL COLLATE pg_catalog."C",
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL,
    device_configurations bigint NOT NULL,
    CONSTRAINT intent_day_bounds_are_ordered CHECK (((0 <= devices_certain) AND (devices_certain <= devices_possible))),
    CONSTRAINT intent_day_configurations_are_counted CHECK ((device_configurations >= 0))
);
COMMENT ON TABLE census.intent_day IS 'Local aggregate. Devices that had a kind with each intent at the end of each closed day.';
COMMENT ON COLUMN census.intent_day.app_number IS 'The app.';
COMMENT ON COLUMN census.intent_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.intent_day.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.intent_day.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.intent_day.intent IS 'Class name of the configuration intent; empty if none was sent.';
COMMENT ON COLUMN census.intent_day.devices_certain IS 'At least this many devices had it.';
COMMENT ON COLUMN census.intent_day.devices_possible IS 'At most this many devices had it.';
COMMENT ON COLUMN census.intent_day.device_configurations IS 'Distinct configurations that each device certainly had, added up over devices.';
CREATE TABLE census.intent_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    intent text NOT NULL COLLATE pg_catalog."C",
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL,
    device_configurations bigint NOT NULL
);
COMMENT ON TABLE census.intent_entry IS 'Local queue. Net changes of intent_day that no night has processed; each changes this day and all later ones.';
COMMENT ON COLUMN census.intent_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.intent_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.intent_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.intent_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.intent_entry.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.intent_entry.intent IS 'Class name of the configuration intent; empty if none was sent.';
COMMENT ON COLUMN census.intent_entry.devices_certain IS 'At least this many devices had it.';
COMMENT ON COLUMN census.intent_entry.devices_possible IS 'At most this many devices had it.';
COMMENT ON COLUMN census.intent_entry.device_configurations IS 'Distinct configurations that each device certainly had, added up over devices.';
ALTER TABLE census.intent_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.intent_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.kind_act (
    act_number bigint NOT NULL,
    app_number integer NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    lifecycle text NOT NULL,
    actor text NOT NULL,
    acted_at timestamp with time zone DEFAULT now() NOT NULL,
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL,
    reason text,
    replaced_by text,
    figures json,
    CONSTRAINT kind_act_lifecycle_is_known CHECK ((lifecycle = ANY (ARRAY['active'::text, 'legacy'::text, 'retired'::text])))
);
COMMENT ON TABLE census.kind_act IS 'Local. Decisions about a kind: who, when, and based on which numbers. The last act is valid.';
COMMENT ON COLUMN census.kind_act.act_number IS 'Grows with every act; also the version of the app''s gallery policy.';
COMMENT ON COLUMN census.kind_act.app_number IS 'The app.';
COMMENT ON COLUMN census.kind_act.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.kind_act.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.kind_act.lifecycle IS 'active, legacy or retired; retire_ready is computed.';
COMMENT ON COLUMN census.kind_act.actor IS 'Who decided: the account that ran the command.';
COMMENT ON COLUMN census.kind_act.acted_at IS 'When it was decided.';
COMMENT ON COLUMN census.kind_act.devices_certain IS 'devices_certain of live_now at that moment.';
COMMENT ON COLUMN census.kind_act.devices_possible IS 'devices_possible of live_now at that moment.';
COMMENT ON COLUMN census.kind_act.reason IS 'Why, in the words of the person who decided; null: no reason given.';
COMMENT ON COLUMN census.kind_act.replaced_by IS 'Kind that replaces it; null: none was named.';
COMMENT ON COLUMN census.kind_act.figures IS 'Readiness of the kind when it was decided, as in `kinds show --format json`; null for acts from before it was stored.';
ALTER TABLE census.kind_act ALTER COLUMN act_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.kind_act_act_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.kind_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL,
    devices_still_there bigint NOT NULL,
    widgets_certain bigint NOT NULL,
    widgets_possible bigint NOT NULL,
    widgets_reported bigint NOT NULL,
    devices_certain_first_known bigint NOT NULL,
    devices_possible_first_known bigint NOT NULL,
    devices_reported bigint DEFAULT 0 NOT NULL,
    widgets_suspect bigint DEFAULT 0 NOT NULL,
    widgets_gone bigint DEFAULT 0 NOT NULL,
    widgets_still_there bigint DEFAULT 0 NOT NULL,
    devices_silent bigint DEFAULT 0 NOT NULL,
    CONSTRAINT kind_day_bounds_are_ordered CHECK (((0 <= devices_certain) AND ((devices_certain + devices_still_there) <= devices_possible) AND (0 <= widgets_certain) AND (widgets_certain <= widgets_possible))),
    CONSTRAINT kind_day_outcomes_are_within CHECK (((widgets_gone >= 0) AND (widgets_still_there >= 0) AND ((widgets_gone + widgets_still_there) <= widgets_suspect)))
);
COMMENT ON TABLE census.kind_day IS 'Local aggregate. How many devices and widgets each kind had at the end of each closed day.';
COMMENT ON COLUMN census.kind_day.app_number IS 'The app.';
COMMENT ON COLUMN census.kind_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.kind_day.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.kind_day.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.kind_day.devices_certain IS 'At least this many devices had it.';
COMMENT ON COLUMN census.kind_day.devices_possible IS 'At most this many devices had it.';
COMMENT ON COLUMN census.kind_day.devices_still_there IS 'Of those that only possibly had it: later proved, or presumed, to have had it.';
COMMENT ON COLUMN census.kind_day.widgets_certain IS 'Certain placements.';
COMMENT ON COLUMN census.kind_day.widgets_possible IS 'Certain or suspect placements.';
COMMENT ON COLUMN census.kind_day.widgets_reported IS 'Placements that the OS listed.';
COMMENT ON COLUMN census.kind_day.devices_certain_first_known IS 'devices_certain as it was when the day was first closed.';
COMMENT ON COLUMN census.kind_day.devices_possible_first_known IS 'devices_possible as it was when the day was first closed.';
COMMENT ON COLUMN census.kind_day.devices_reported IS 'Devices whose OS listed it: the naive number.';
COMMENT ON COLUMN census.kind_day.widgets_suspect IS 'Placements that the OS listed and that might have been stale: suspects.';
COMMENT ON COLUMN census.kind_day.widgets_gone IS 'Suspects that later proved to be gone: ghosts.';
COMMENT ON COLUMN census.kind_day.widgets_still_there IS 'Suspects that later proved to have been there.';
COMMENT ON COLUMN census.kind_day.devices_silent IS 'Devices that went silent with it at most a year before; no other number includes them.';
CREATE TABLE census.kind_day_unsettled (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    os_version text NOT NULL COLLATE pg_catalog."C",
    devices bigint NOT NULL,
    claim_rule text DEFAULT 'reinstall'::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT kind_day_unsettled_counts CHECK ((devices >= 0))
);
COMMENT ON TABLE census.kind_day_unsettled IS 'Local aggregate. Devices that possibly had a kind and whose suspects are not settled, by the OS of the claim. Their weight can change later; these numbers cannot.';
COMMENT ON COLUMN census.kind_day_unsettled.app_number IS 'The app.';
COMMENT ON COLUMN census.kind_day_unsettled.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.kind_day_unsettled.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.kind_day_unsettled.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.kind_day_unsettled.platform IS 'Platform that first listed them.';
COMMENT ON COLUMN census.kind_day_unsettled.os_version IS 'OS version that first listed them; empty if unknown.';
COMMENT ON COLUMN census.kind_day_unsettled.devices IS 'Devices.';
COMMENT ON COLUMN census.kind_day_unsettled.claim_rule IS 'The rule that doubts them: reinstall or fresh_install.';
CREATE TABLE census.kind_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL,
    devices_still_there bigint NOT NULL,
    widgets_certain bigint NOT NULL,
    widgets_possible bigint NOT NULL,
    widgets_reported bigint NOT NULL,
    devices_reported bigint NOT NULL,
    widgets_suspect bigint NOT NULL,
    widgets_gone bigint NOT NULL,
    widgets_still_there bigint NOT NULL,
    devices_silent bigint DEFAULT 0 NOT NULL
);
COMMENT ON TABLE census.kind_entry IS 'Local queue. Net changes of kind_day that no night has processed; each changes this day and all later ones.';
COMMENT ON COLUMN census.kind_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.kind_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.kind_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.kind_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.kind_entry.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.kind_entry.devices_certain IS 'Net change of devices_certain.';
COMMENT ON COLUMN census.kind_entry.devices_possible IS 'Net change of devices_possible.';
COMMENT ON COLUMN census.kind_entry.devices_still_there IS 'Of those that only possibly had it: later proved, or presumed, to have had it.';
COMMENT ON COLUMN census.kind_entry.widgets_certain IS 'Certain placements.';
COMMENT ON COLUMN census.kind_entry.widgets_possible IS 'Certain or suspect placements.';
COMMENT ON COLUMN census.kind_entry.widgets_reported IS 'Placements that the OS listed.';
COMMENT ON COLUMN census.kind_entry.devices_reported IS 'Devices whose OS listed it: the naive number.';
COMMENT ON COLUMN census.kind_entry.widgets_suspect IS 'Placements that the OS listed and that might have been stale: suspects.';
COMMENT ON COLUMN census.kind_entry.widgets_gone IS 'Suspects that later proved to be gone: ghosts.';
COMMENT ON COLUMN census.kind_entry.widgets_still_there IS 'Suspects that later proved to have been there.';
COMMENT ON COLUMN census.kind_entry.devices_silent IS 'Devices that went silent with it at most a year before; no other number includes them.';
ALTER TABLE census.kind_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.kind_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.overlap_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    other_kind text NOT NULL COLLATE pg_catalog."C",
    devices bigint NOT NULL,
    CONSTRAINT overlap_day_counts CHECK ((devices >= 0)),
    CONSTRAINT overlap_day_kinds_are_ordered CHECK (((kind COLLATE "C") < (other_kind COLLATE "C")))
);
COMMENT ON TABLE census.overlap_day IS 'Local aggregate. Devices that certainly had two kinds of a surface when each closed day ended. A device with more than 30 kinds of the surface is left out.';
COMMENT ON COLUMN census.overlap_day.app_number IS 'The app.';
COMMENT ON COLUMN census.overlap_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.overlap_day.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.overlap_day.kind IS 'The kind of the two that sorts first by bytes.';
COMMENT ON COLUMN census.overlap_day.other_kind IS 'The other kind.';
COMMENT ON COLUMN census.overlap_day.devices IS 'Distinct devices.';
CREATE VIEW census.kind_pair AS
 SELECT overlap_day.app_number,
    overlap_day.day,
    overlap_day.surface,
    pair.kind,
    pair.other_kind,
    overlap_day.devices,
    pair.devices_with_kind,
    pair.devices_with_other
   FROM (((census.overlap_day
     LEFT JOIN census.kind_day first ON (((first.app_number = overlap_day.app_number) AND (first.day = overlap_day.day) AND (first.surface = overlap_day.surface) AND (first.kind = overlap_day.kind))))
     LEFT JOIN census.kind_day second ON (((second.app_number = overlap_day.app_number) AND (second.day = overlap_day.day) AND (second.surface = overlap_day.surface) AND (second.kind = overlap_day.other_kind))))
     CROSS JOIN LATERAL ( VALUES (overlap_day.kind,first.devices_certain,overlap_day.other_kind,second.devices_certain), (overlap_day.other_kind,second.devices_certain,overlap_day.kind,first.devices_certain)) pair(kind, devices_with_kind, other_kind, devices_with_other))
  WHERE ((overlap_day.devices > 0) AND (pair.devices_with_kind IS NOT NULL));
COMMENT ON VIEW census.kind_pair IS 'Devices that certainly had two kinds of a surface when a day ended, each pair in both orders.';
COMMENT ON COLUMN census.kind_pair.app_number IS 'The app.';
COMMENT ON COLUMN census.kind_pair.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.kind_pair.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.kind_pair.kind IS 'One kind of the pair.';
COMMENT ON COLUMN census.kind_pair.other_kind IS 'The other kind.';
COMMENT ON COLUMN census.kind_pair.devices IS 'Devices that certainly had both.';
COMMENT ON COLUMN census.kind_pair.devices_with_kind IS 'Devices that certainly had kind.';
COMMENT ON COLUMN census.kind_pair.devices_with_other IS 'Devices that certainly had other_kind; null: unknown.';
CREATE VIEW census.kind_state AS
 SELECT DISTINCT ON (kind_act.app_number, kind_act.surface, kind_act.kind) kind_act.app_number,
    kind_act.surface,
    kind_act.kind,
    kind_act.lifecycle,
    kind_act.replaced_by,
    kind_act.acted_at,
    kind_act.devices_possible,
    kind_act.figures
   FROM census.kind_act
  ORDER BY kind_act.app_number, kind_act.surface, kind_act.kind, kind_act.act_number DESC;
COMMENT ON VIEW census.kind_state IS 'The last decision about a kind.';
COMMENT ON COLUMN census.kind_state.app_number IS 'The app.';
COMMENT ON COLUMN census.kind_state.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.kind_state.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.kind_state.lifecycle IS 'active, legacy or retired.';
COMMENT ON COLUMN census.kind_state.replaced_by IS 'The kind that replaces it, if that act named one.';
COMMENT ON COLUMN census.kind_state.acted_at IS 'When it was decided.';
COMMENT ON COLUMN census.kind_state.devices_possible IS 'At most this many devices had it then.';
COMMENT ON COLUMN census.kind_state.figures IS 'Its readiness then; null for acts from before readiness was recorded.';
CREATE TABLE census.kind_unsettled_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    platform text NOT NULL,
    os_version text NOT NULL,
    devices bigint NOT NULL,
    claim_rule text NOT NULL
);
COMMENT ON TABLE census.kind_unsettled_entry IS 'Local queue. Net changes of kind_day_unsettled that no night has processed; each changes this day and all later ones.';
COMMENT ON COLUMN census.kind_unsettled_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.kind_unsettled_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.kind_unsettled_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.kind_unsettled_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.kind_unsettled_entry.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.kind_unsettled_entry.platform IS 'Platform that first listed them.';
COMMENT ON COLUMN census.kind_unsettled_entry.os_version IS 'OS version that first listed them; empty if unknown.';
COMMENT ON COLUMN census.kind_unsettled_entry.devices IS 'Devices.';
COMMENT ON COLUMN census.kind_unsettled_entry.claim_rule IS 'The rule that doubts them: reinstall or fresh_install.';
ALTER TABLE census.kind_unsettled_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.kind_unsettled_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.kinds_lock (
    is_single boolean DEFAULT true NOT NULL,
    CONSTRAINT kinds_lock_is_single_check CHECK (is_single)
);
COMMENT ON TABLE census.kinds_lock IS 'Local, empty. Locked while people decide about kinds (exclusive).';
COMMENT ON COLUMN census.kinds_lock.is_single IS 'Never filled.';
CREATE TABLE census.known_name (
    app_number integer NOT NULL,
    dimension text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    first_seen_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT known_name_dimension_is_known CHECK ((dimension = ANY (ARRAY['kind'::text, 'family'::text, 'app_version'::text, 'os_version'::text])))
);
COMMENT ON TABLE census.known_name IS 'Lookup. Kinds, families and versions seen so far, which count against the caps that protect from broken clients.';
COMMENT ON COLUMN census.known_name.app_number IS 'The app.';
COMMENT ON COLUMN census.known_name.dimension IS 'kind, family, app_version or os_version (major and minor).';
COMMENT ON COLUMN census.known_name.name IS 'As sent.';
COMMENT ON COLUMN census.known_name.first_seen_at IS 'When it was first accepted.';
CREATE TABLE census.lifetime_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    week date NOT NULL,
    days bigint NOT NULL,
    cause text NOT NULL COLLATE pg_catalog."C",
    devices bigint NOT NULL,
    CONSTRAINT lifetime_day_ends_a_week CHECK (((EXTRACT(isodow FROM day) = (7)::numeric) AND (EXTRACT(isodow FROM week) = (1)::numeric) AND (week < day)))
);
COMMENT ON TABLE census.lifetime_day IS 'Local aggregate. Devices whose first time with a kind ended in each week that has ended, or that were lost sight of in it.';
COMMENT ON COLUMN census.lifetime_day.app_number IS 'The app.';
COMMENT ON COLUMN census.lifetime_day.day IS 'The Sunday that ends the week, in the app''s zone.';
COMMENT ON COLUMN census.lifetime_day.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.lifetime_day.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.lifetime_day.week IS 'The Monday of the week in which the devices placed the kind for the first time.';
COMMENT ON COLUMN census.lifetime_day.days IS 'Days from placing the kind until the end; from 28 on rounded down to whole weeks.';
COMMENT ON COLUMN census.lifetime_day.cause IS 'removed, configured, reinstalled or upgrade_loss; silent or forgotten: the device was lost sight of while it had the kind.';
COMMENT ON COLUMN census.lifetime_day.devices IS 'Distinct devices.';
CREATE TABLE census.lifetime_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    week date NOT NULL,
    days bigint NOT NULL,
    cause text NOT NULL COLLATE pg_catalog."C",
    devices bigint NOT NULL
);
COMMENT ON TABLE census.lifetime_entry IS 'Local queue. Net changes of lifetime_day: what in this week is more or less.';
COMMENT ON COLUMN census.lifetime_entry.entry_number IS 'Tells entries apart; no order.';
COMMENT ON COLUMN census.lifetime_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.lifetime_entry.day IS 'The Sunday that ends the week, in the app''s zone.';
COMMENT ON COLUMN census.lifetime_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.lifetime_entry.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.lifetime_entry.week IS 'The Monday of the week in which the devices placed the kind for the first time.';
COMMENT ON COLUMN census.lifetime_entry.days IS 'Days from placing the kind until the end; from 28 on rounded down to whole weeks.';
COMMENT ON COLUMN census.lifetime_entry.cause IS 'removed, configured, reinstalled or upgrade_loss; silent or forgotten: the device was lost sight of while it had the kind.';
COMMENT ON COLUMN census.lifetime_entry.devices IS 'Distinct devices.';
ALTER TABLE census.lifetime_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.lifetime_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.loss_act (
    act_number bigint NOT NULL,
    app_number integer NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    to_version text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL,
    acted_at timestamp with time zone DEFAULT now() NOT NULL,
    actor text NOT NULL,
    reason text,
    figures json NOT NULL,
    CONSTRAINT loss_act_state_is_known CHECK ((state = ANY (ARRAY['open'::text, 'acknowledged'::text, 'closed'::text])))
);
COMMENT ON TABLE census.loss_act IS 'Lookup, append-only. When incidents were opened, acknowledged and closed.';
COMMENT ON COLUMN census.loss_act.act_number IS 'The order of the acts.';
COMMENT ON COLUMN census.loss_act.app_number IS 'The app.';
COMMENT ON COLUMN census.loss_act.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.loss_act.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.loss_act.to_version IS 'The version that devices updated to.';
COMMENT ON COLUMN census.loss_act.state IS 'The new state of the incident: open, acknowledged or closed.';
COMMENT ON COLUMN census.loss_act.acted_at IS 'When it happened.';
COMMENT ON COLUMN census.loss_act.actor IS 'Who did it; the night opens incidents.';
COMMENT ON COLUMN census.loss_act.reason IS 'Why, in the words of the person; null: no reason given.';
COMMENT ON COLUMN census.loss_act.figures IS 'The figures from the pairs at that time, named like loss_watch''s columns.';
ALTER TABLE census.loss_act ALTER COLUMN act_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.loss_act_act_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.loss_detail (
    app_number integer NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    to_version text NOT NULL COLLATE pg_catalog."C",
    detail text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    upgraders bigint NOT NULL,
    lost bigint NOT NULL,
    last_day date NOT NULL,
    CONSTRAINT loss_detail_counts CHECK (((0 <= lost) AND (lost <= upgraders))),
    CONSTRAINT loss_detail_is_known CHECK ((detail = ANY (ARRAY['os'::text, 'gained'::text])))
);
COMMENT ON TABLE census.loss_detail IS 'Local aggregate. Properties that updated devices have in common: the OS version, and kinds that first appear in the report without the lost one.';
COMMENT ON COLUMN census.loss_detail.app_number IS 'The app.';
COMMENT ON COLUMN census.loss_detail.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.loss_detail.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.loss_detail.to_version IS 'The version that devices updated to.';
COMMENT ON COLUMN census.loss_detail.detail IS 'os: an OS version; gained: a kind that they reported for the first time.';
COMMENT ON COLUMN census.loss_detail.value IS 'The OS version at the second report, or the kind.';
COMMENT ON COLUMN census.loss_detail.upgraders IS 'Devices that had the kind for certain, updated and reported again; for a gained kind only those that lost it.';
COMMENT ON COLUMN census.loss_detail.lost IS 'Of these, devices whose next report no longer listed it.';
COMMENT ON COLUMN census.loss_detail.last_day IS 'The day of the newest of these reports.';
CREATE TABLE census.loss_origin (
    app_number integer NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    to_version text NOT NULL COLLATE pg_catalog."C",
    from_version text NOT NULL COLLATE pg_catalog."C",
    upgraders bigint NOT NULL,
    lost bigint NOT NULL,
    exposed_seconds bigint NOT NULL,
    others bigint NOT NULL,
    others_lost bigint NOT NULL,
    others_seconds bigint NOT NULL,
    evidence double precision NOT NULL,
    z double precision,
    devices_at_risk bigint NOT NULL
);
COMMENT ON TABLE census.loss_origin IS 'Local aggregate. loss_watch for each version that devices came from.';
COMMENT ON COLUMN census.loss_origin.app_number IS 'The app.';
COMMENT ON COLUMN census.loss_origin.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.loss_origin.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.loss_origin.to_version IS 'The version that devices updated to.';
COMMENT ON COLUMN census.loss_origin.from_version IS 'The version before.';
COMMENT ON COLUMN census.loss_origin.upgraders IS 'Devices that had the kind for certain, updated and reported again.';
COMMENT ON COLUMN census.loss_origin.lost IS 'Of these, devices whose next report no longer listed it.';
COMMENT ON COLUMN census.loss_origin.exposed_seconds IS 'Total time between the reports of devices that updated.';
COMMENT ON COLUMN census.loss_origin.others IS 'Pairs of reports without an update, from days on which other devices updated.';
COMMENT ON COLUMN census.loss_origin.others_lost IS 'Of the others, pairs whose second report no longer lists it.';
COMMENT ON COLUMN census.loss_origin.others_seconds IS 'Total time between the reports of the others.';
COMMENT ON COLUMN census.loss_origin.evidence IS 'Evidence for a loss in updates from this version: an e-value, starting at 1.';
COMMENT ON COLUMN census.loss_origin.z IS 'Standard deviations between lost and the number expected from the others'' rate; description only.';
COMMENT ON COLUMN census.loss_origin.devices_at_risk IS 'Devices that had the kind for certain on this version when the last closed day ended.';
CREATE TABLE census.loss_version (
    app_number integer NOT NULL,
    to_version text NOT NULL COLLATE pg_catalog."C",
    first_day date NOT NULL,
    place integer NOT NULL,
    kinds integer NOT NULL,
    false_alarms double precision NOT NULL
);
COMMENT ON TABLE census.loss_version IS 'Lookup, append-only. Versions that devices updated to, each with its share of the year''s budget of false alarms.';
COMMENT ON COLUMN census.loss_version.app_number IS 'The app.';
COMMENT ON COLUMN census.loss_version.to_version IS 'The version.';
COMMENT ON COLUMN census.loss_version.first_day IS 'The day of the first update to it, in the app''s zone.';
COMMENT ON COLUMN census.loss_version.place IS 'How many versions had appeared before it that year.';
COMMENT ON COLUMN census.loss_version.kinds IS 'Kinds with at least 20 holders when it appeared; they divide its share of the budget.';
COMMENT ON COLUMN census.loss_version.false_alarms IS 'The app''s budget at that time: expected false incidents a year.';
CREATE TABLE census.loss_watch (
    app_number integer NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    to_version text NOT NULL COLLATE pg_catalog."C",
    chance double precision NOT NULL,
    tolerance double precision NOT NULL,
    bound double precision,
    upgraders bigint DEFAULT 0 NOT NULL,
    lost bigint DEFAULT 0 NOT NULL,
    excused bigint DEFAULT 0 NOT NULL,
    exposed_seconds bigint DEFAULT 0 NOT NULL,
    others bigint DEFAULT 0 NOT NULL,
    others_lost bigint DEFAULT 0 NOT NULL,
    others_seconds bigint DEFAULT 0 NOT NULL,
    evidence double precision DEFAULT 1 NOT NULL,
    z double precision,
    smallest_seen double precision,
    devices_at_risk bigint DEFAULT 0 NOT NULL,
    state text DEFAULT 'watched'::text NOT NULL,
    opened_on date,
    judged_on date,
    long_bound double precision,
    late bigint DEFAULT 0 NOT NULL,
    unmatched bigint DEFAULT 0 NOT NULL,
    unmatched_with_os bigint DEFAULT 0 NOT NULL,
    told_lost bigint DEFAULT 0 NOT NULL,
    ended_on date,
    CONSTRAINT loss_watch_counts CHECK (((0 <= excused) AND (excused <= lost) AND (lost <= upgraders) AND (0 <= others_lost) AND (others_lost <= others))),
    CONSTRAINT loss_watch_state_is_known CHECK ((state = ANY (ARRAY['watched'::text, 'open'::text, 'acknowledged'::text, 'closed'::text])))
);
COMMENT ON TABLE census.loss_watch IS 'Local aggregate. For each kind and target version: whether the update takes the kind away, judged by pairs of reports.';
COMMENT ON COLUMN census.loss_watch.app_number IS 'The app.';
COMMENT ON COLUMN census.loss_watch.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.loss_watch.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.loss_watch.to_version IS 'The version that devices updated to.';
COMMENT ON COLUMN census.loss_watch.chance IS 'Allowed chance of a false alarm; an incident opens at the evidence 2 / chance. Fixed beforehand.';
COMMENT ON COLUMN census.loss_watch.tolerance IS 'How many times as fast as the others updated devices are allowed to lose it. Fixed beforehand.';
COMMENT ON COLUMN census.loss_watch.bound IS 'Upper bound of the losses of other devices per day of exposure, from the pairs with short gaps before the first update; null: there were none. Fixed beforehand.';
COMMENT ON COLUMN census.loss_watch.upgraders IS 'Devices that had the kind for certain, updated and reported again.';
COMMENT ON COLUMN census.loss_watch.lost IS 'Of these, devices whose next report no longer listed it.';
COMMENT ON COLUMN census.loss_watch.excused IS 'Of the lost ones, those that a person had accepted beforehand.';
COMMENT ON COLUMN census.loss_watch.exposed_seconds IS 'Total time between the reports of devices that updated.';
COMMENT ON COLUMN census.loss_watch.others IS 'Pairs of reports without an update, from days on which other devices updated.';
COMMENT ON COLUMN census.loss_watch.others_lost IS 'Of the others, pairs whose second report no longer lists it.';
COMMENT ON COLUMN census.loss_watch.others_seconds IS 'Total time between the reports of the others.';
COMMENT ON COLUMN census.loss_watch.evidence IS 'Evidence for a loss: an e-value, starting at 1.';
COMMENT ON COLUMN census.loss_watch.z IS 'Standard deviations between lost and the number expected from the others'' rate; description only.';
COMMENT ON COLUMN census.loss_watch.smallest_seen IS 'The smallest share lost that these numbers could have shown; null: none.';
COMMENT ON COLUMN census.loss_watch.devices_at_risk IS 'Devices that had the kind for certain on an older version when the last closed day ended.';
COMMENT ON COLUMN census.loss_watch.state IS 'watched, open, acknowledged or closed.';
COMMENT ON COLUMN census.loss_watch.opened_on IS 'Day whose pairs sufficed to open an incident; null: none was opened.';
COMMENT ON COLUMN census.loss_watch.judged_on IS 'Last day whose pairs are included.';
COMMENT ON COLUMN census.loss_watch.long_bound IS 'The same from the pairs with long gaps.';
COMMENT ON COLUMN census.loss_watch.late IS 'Of the upgraders, devices that are no evidence because they reported again only after 14 days.';
COMMENT ON COLUMN census.loss_watch.unmatched IS 'Of the upgraders, devices that are no evidence because there were no others to compare with, and no bound was low enough to show anything.';
COMMENT ON COLUMN census.loss_watch.unmatched_with_os IS 'The same for devices that also updated the OS.';
COMMENT ON COLUMN census.loss_watch.told_lost IS 'The lost devices in the last message to webhooks.';
COMMENT ON COLUMN census.loss_watch.ended_on IS 'Day on which the incident could grow no further; null: it can, or there is no incident.';
CREATE TABLE census.losses_lock (
    is_single boolean DEFAULT true NOT NULL,
    CONSTRAINT losses_lock_is_single_check CHECK (is_single)
);
COMMENT ON TABLE census.losses_lock IS 'Local, empty. Locked while updates are watched or people act on incidents (exclusive).';
COMMENT ON COLUMN census.losses_lock.is_single IS 'Never filled.';
CREATE TABLE census.manifest (
    app_number integer NOT NULL,
    app_version text NOT NULL COLLATE pg_catalog."C",
    added_at timestamp with time zone DEFAULT now() NOT NULL,
    added_by text NOT NULL,
    digest bytea NOT NULL,
    source text NOT NULL
);
COMMENT ON TABLE census.manifest IS 'Lookup, append-only. The manifest of each app version.';
COMMENT ON COLUMN census.manifest.app_number IS 'The app.';
COMMENT ON COLUMN census.manifest.app_version IS 'The version, as devices send it.';
COMMENT ON COLUMN census.manifest.added_at IS 'When it was added.';
COMMENT ON COLUMN census.manifest.added_by IS 'Who added it: a name, or the first digits of the hash of a release key.';
COMMENT ON COLUMN census.manifest.digest IS 'SHA-256 of the manifest in its canonical spelling. An equal manifest changes nothing; a different one is refused.';
COMMENT ON COLUMN census.manifest.source IS 'The file as it was received.';
CREATE TABLE census.manifest_kind (
    app_number integer NOT NULL,
    app_version text NOT NULL COLLATE pg_catalog."C",
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    families text[],
    intent text,
    migrates_from text[] NOT NULL,
    replaces text,
    states_intent boolean DEFAULT true NOT NULL
);
COMMENT ON TABLE census.manifest_kind IS 'Lookup, append-only. The widget kinds of a manifest.';
COMMENT ON COLUMN census.manifest_kind.app_number IS 'The app.';
COMMENT ON COLUMN census.manifest_kind.app_version IS 'The version of the manifest.';
COMMENT ON COLUMN census.manifest_kind.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.manifest_kind.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.manifest_kind.families IS 'The families that it offers; null: any, empty: none.';
COMMENT ON COLUMN census.manifest_kind.intent IS 'Class name of the configuration intent; null: a static configuration, or none stated.';
COMMENT ON COLUMN census.manifest_kind.migrates_from IS 'Former intents whose settings the intent takes over.';
COMMENT ON COLUMN census.manifest_kind.replaces IS 'Kind that it is offered instead of; null: none.';
COMMENT ON COLUMN census.manifest_kind.states_intent IS 'Whether the manifest states the intent; otherwise it can be any, or none.';
CREATE TABLE census.move_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    cause text NOT NULL COLLATE pg_catalog."C",
    app_version text NOT NULL COLLATE pg_catalog."C",
    os_version text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    widgets_added bigint NOT NULL,
    widgets_removed bigint NOT NULL,
    devices_added bigint NOT NULL,
    devices_removed bigint NOT NULL,
    CONSTRAINT move_day_counts CHECK (((widgets_added >= 0) AND (widgets_removed >= 0) AND (devices_added >= 0) AND (devices_removed >= 0)))
);
COMMENT ON TABLE census.move_day IS 'Local aggregate. Certain placements added and removed on each closed day, and devices that gained or lost a kind, by versions and platform.';
COMMENT ON COLUMN census.move_day.app_number IS 'The app.';
COMMENT ON COLUMN census.move_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.move_day.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.move_day.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.move_day.cause IS 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten; for devices the first by name if placements have several causes.';
COMMENT ON COLUMN census.move_day.app_version IS 'App version on the device from then on, or its last one; empty if unknown.';
COMMENT ON COLUMN census.move_day.os_version IS 'OS version, major and minor; empty if not sent.';
COMMENT ON COLUMN census.move_day.platform IS 'ios, ipados, macos, watchos, visionos or android; empty if unknown.';
COMMENT ON COLUMN census.move_day.widgets_added IS 'Placements that became certain.';
COMMENT ON COLUMN census.move_day.widgets_removed IS 'Placements that stopped being certain.';
COMMENT ON COLUMN census.move_day.devices_added IS 'Devices on which the kind became certain.';
COMMENT ON COLUMN census.move_day.devices_removed IS 'Devices on which the kind stopped being certain.';
CREATE TABLE census.move_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    cause text NOT NULL,
    app_version text NOT NULL,
    os_version text NOT NULL,
    platform text NOT NULL,
    widgets_added bigint NOT NULL,
    widgets_removed bigint NOT NULL,
    devices_added bigint NOT NULL,
    devices_removed bigint NOT NULL
);
COMMENT ON TABLE census.move_entry IS 'Local queue. Net changes of move_day that no night has processed; each changes only this day.';
COMMENT ON COLUMN census.move_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.move_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.move_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.move_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.move_entry.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.move_entry.cause IS 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten; for devices the first by name if placements have several causes.';
COMMENT ON COLUMN census.move_entry.app_version IS 'App version on the device from then on, or its last one; empty if unknown.';
COMMENT ON COLUMN census.move_entry.os_version IS 'OS version, major and minor; empty if not sent.';
COMMENT ON COLUMN census.move_entry.platform IS 'ios, ipados, macos, watchos, visionos or android; empty if unknown.';
COMMENT ON COLUMN census.move_entry.widgets_added IS 'Placements that became certain.';
COMMENT ON COLUMN census.move_entry.widgets_removed IS 'Placements that stopped being certain.';
COMMENT ON COLUMN census.move_entry.devices_added IS 'Devices on which the kind became certain.';
COMMENT ON COLUMN census.move_entry.devices_removed IS 'Devices on which the kind stopped being certain.';
ALTER TABLE census.move_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.move_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.night_run (
    run_number bigint NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    finished_at timestamp with time zone,
    failure text,
    devices bigint,
    observations bigint,
    spans_changed bigint,
    days_closed bigint,
    days_restated bigint,
    partitions_made bigint,
    partitions_dropped bigint,
    reconcile_seconds double precision,
    close_seconds double precision,
    keep_seconds double precision,
    verify_seconds double precision,
    apps_failed bigint,
    ledgers_recounted bigint
);
COMMENT ON TABLE census.night_run IS 'Local. Each run of the nightly job.';
COMMENT ON COLUMN census.night_run.run_number IS 'Grows with every run.';
COMMENT ON COLUMN census.night_run.started_at IS 'When it began.';
COMMENT ON COLUMN census.night_run.finished_at IS 'When it ended; null: it is still running, or was killed.';
COMMENT ON COLUMN census.night_run.failure IS 'Why it failed, or could not close the days of some apps; null: nothing failed.';
COMMENT ON COLUMN census.night_run.devices IS 'Devices that were reconciled.';
COMMENT ON COLUMN census.night_run.observations IS 'Observations that were folded.';
COMMENT ON COLUMN census.night_run.spans_changed IS 'Spans that were written or deleted.';
COMMENT ON COLUMN census.night_run.days_closed IS 'Days that were closed for the first time, of all apps.';
COMMENT ON COLUMN census.night_run.days_restated IS 'Closed days whose numbers changed, of all apps.';
COMMENT ON COLUMN census.night_run.partitions_made IS 'Partitions of observations created ahead.';
COMMENT ON COLUMN census.night_run.partitions_dropped IS 'Partitions dropped because they are past the retention.';
COMMENT ON COLUMN census.night_run.reconcile_seconds IS 'How long it took to reconcile.';
COMMENT ON COLUMN census.night_run.close_seconds IS 'How long it took to apply net changes and close days.';
COMMENT ON COLUMN census.night_run.keep_seconds IS 'How long partitions and retention took.';
COMMENT ON COLUMN census.night_run.verify_seconds IS 'How long the check took; null: it was not requested.';
COMMENT ON COLUMN census.night_run.apps_failed IS 'Apps whose days could not be closed; census.app_night has the reasons.';
COMMENT ON COLUMN census.night_run.ledgers_recounted IS 'Apps whose ledger was recounted from the spans.';
ALTER TABLE census.night_run ALTER COLUMN run_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.night_run_run_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.observation (
    device_id uuid NOT NULL,
    event_id text NOT NULL COLLATE pg_catalog."C",
    occurred_at timestamp with time zone NOT NULL,
    corrected_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    app_number integer NOT NULL,
    installation_id uuid NOT NULL,
    type text NOT NULL,
    surface text NOT NULL,
    source text,
    platform text NOT NULL,
    os_version text,
    os_build text,
    app_version text NOT NULL,
    channel text NOT NULL,
    booted_at timestamp with time zone,
    first_launched_at timestamp with time zone,
    gallery_policy bigint,
    content json NOT NULL,
    rebooted boolean
)
PARTITION BY RANGE (occurred_at);
COMMENT ON TABLE census.observation IS 'Device, append-only. Every accepted event, with one partition per day. Device, id and time as sent identify an event.';
COMMENT ON COLUMN census.observation.device_id IS 'Keyed hash of the app and the device id; raw ids are not stored.';
COMMENT ON COLUMN census.observation.event_id IS 'The sender''s id of the event.';
COMMENT ON COLUMN census.observation.occurred_at IS 'Time of the event on the device''s clock: part of its identity, never used to order events.';
COMMENT ON COLUMN census.observation.corrected_at IS 'Time of the event on the server''s clock.';
COMMENT ON COLUMN census.observation.received_at IS 'When the batch arrived.';
COMMENT ON COLUMN census.observation.app_number IS 'The app.';
COMMENT ON COLUMN census.observation.installation_id IS 'Keyed hash of the installation id.';
COMMENT ON COLUMN census.observation.type IS 'The type on the wire, such as widgets_reported.';
COMMENT ON COLUMN census.observation.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.observation.source IS 'Where the event comes from: app, extension, or what the sender calls it.';
COMMENT ON COLUMN census.observation.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.observation.os_version IS 'As sent, such as 14.3.';
COMMENT ON COLUMN census.observation.os_build IS 'As sent, such as 18C66: distinguishes a beta from its release.';
COMMENT ON COLUMN census.observation.app_version IS 'As sent.';
COMMENT ON COLUMN census.observation.channel IS 'Events of any channel but production are stored and never counted.';
COMMENT ON COLUMN census.observation.booted_at IS 'When the device last started, on the server''s clock; null if not sent.';
COMMENT ON COLUMN census.observation.first_launched_at IS 'First launch of the app in this installation, on the server''s clock; null if not sent.';
COMMENT ON COLUMN census.observation.gallery_policy IS 'Version of the gallery policy that the app had applied.';
COMMENT ON COLUMN census.observation.content IS 'Contents of the event in one canonical spelling: equal contents have equal text.';
COMMENT ON COLUMN census.observation.rebooted IS 'Whether the device had restarted since the app''s first launch in this installation; null if not sent.';
CREATE TABLE census.observation_other (
    device_id uuid NOT NULL,
    event_id text NOT NULL COLLATE pg_catalog."C",
    occurred_at timestamp with time zone NOT NULL,
    corrected_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    app_number integer NOT NULL,
    installation_id uuid NOT NULL,
    type text NOT NULL,
    surface text NOT NULL,
    source text,
    platform text NOT NULL,
    os_version text,
    os_build text,
    app_version text NOT NULL,
    channel text NOT NULL,
    booted_at timestamp with time zone,
    first_launched_at timestamp with time zone,
    gallery_policy bigint,
    content json NOT NULL,
    rebooted boolean
);
COMMENT ON TABLE census.observation_other IS 'Observations whose time as sent is outside all partitions created so far.';
CREATE TABLE census.outcome_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    os_version text NOT NULL COLLATE pg_catalog."C",
    claim_rule text NOT NULL COLLATE pg_catalog."C",
    suspects_settled bigint NOT NULL,
    suspects_still_there bigint NOT NULL,
    suspect_seconds bigint NOT NULL,
    CONSTRAINT outcome_day_counts CHECK ((((suspects_still_there >= 0) AND (suspects_still_there <= suspects_settled)) AND (suspect_seconds >= 0)))
);
COMMENT ON TABLE census.outcome_day IS 'Local aggregate. Suspects whose outcome became known on each closed day, by what had first listed them.';
COMMENT ON COLUMN census.outcome_day.app_number IS 'The app.';
COMMENT ON COLUMN census.outcome_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.outcome_day.platform IS 'Platform that first listed them.';
COMMENT ON COLUMN census.outcome_day.os_version IS 'OS version that first listed them, major and minor; empty if unknown.';
COMMENT ON COLUMN census.outcome_day.claim_rule IS 'The rule that doubted them: reinstall or fresh_install.';
COMMENT ON COLUMN census.outcome_day.suspects_settled IS 'Suspects whose outcome became known.';
COMMENT ON COLUMN census.outcome_day.suspects_still_there IS 'Of these, suspects that were still there.';
COMMENT ON COLUMN census.outcome_day.suspect_seconds IS 'Total time for which they had been suspect.';
CREATE TABLE census.outcome_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    platform text NOT NULL,
    os_version text NOT NULL,
    claim_rule text NOT NULL,
    suspects_settled bigint NOT NULL,
    suspects_still_there bigint NOT NULL,
    suspect_seconds bigint NOT NULL
);
COMMENT ON TABLE census.outcome_entry IS 'Local queue. Net changes of outcome_day that no night has processed; each changes only this day.';
COMMENT ON COLUMN census.outcome_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.outcome_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.outcome_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.outcome_entry.platform IS 'Platform that first listed them.';
COMMENT ON COLUMN census.outcome_entry.os_version IS 'OS version that first listed them, major and minor; empty if unknown.';
COMMENT ON COLUMN census.outcome_entry.claim_rule IS 'The rule that doubted them: reinstall or fresh_install.';
COMMENT ON COLUMN census.outcome_entry.suspects_settled IS 'Suspects whose outcome became known.';
COMMENT ON COLUMN census.outcome_entry.suspects_still_there IS 'Of these, suspects that were still there.';
COMMENT ON COLUMN census.outcome_entry.suspect_seconds IS 'Total time for which they had been suspect.';
ALTER TABLE census.outcome_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.outcome_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.overlap_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    other_kind text NOT NULL,
    devices bigint NOT NULL
);
COMMENT ON TABLE census.overlap_entry IS 'Local queue. Net changes of overlap_day that no night has processed; each changes this day and all later ones.';
COMMENT ON COLUMN census.overlap_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.overlap_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.overlap_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.overlap_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.overlap_entry.kind IS 'The kind of the two that sorts first by bytes.';
COMMENT ON COLUMN census.overlap_entry.other_kind IS 'The other kind.';
COMMENT ON COLUMN census.overlap_entry.devices IS 'Distinct devices.';
ALTER TABLE census.overlap_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.overlap_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.pair_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    from_version text NOT NULL,
    to_version text NOT NULL,
    is_other_os boolean NOT NULL,
    pairs bigint NOT NULL,
    lost bigint NOT NULL,
    exposed_seconds bigint NOT NULL,
    gap text DEFAULT 'short'::text NOT NULL COLLATE pg_catalog."C",
    os_release text COLLATE pg_catalog."C",
    gained text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C"
);
COMMENT ON TABLE census.pair_entry IS 'Local queue. Pairs of successive successful reports that no night has processed, by the day of the second one.';
COMMENT ON COLUMN census.pair_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.pair_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.pair_entry.day IS 'The day of the second report, in the app''s zone.';
COMMENT ON COLUMN census.pair_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.pair_entry.kind IS 'A kind that was certain after the first report.';
COMMENT ON COLUMN census.pair_entry.from_version IS 'The app''s version at the first report.';
COMMENT ON COLUMN census.pair_entry.to_version IS 'App version at the second report; the same if there was no update.';
COMMENT ON COLUMN census.pair_entry.is_other_os IS 'Whether the OS was updated between the reports.';
COMMENT ON COLUMN census.pair_entry.pairs IS 'How many pairs.';
COMMENT ON COLUMN census.pair_entry.lost IS 'Of these, pairs whose second report no longer lists the kind.';
COMMENT ON COLUMN census.pair_entry.exposed_seconds IS 'Total time between the reports; each gap counts as at least an hour.';
COMMENT ON COLUMN census.pair_entry.gap IS 'Length of the time between the reports: short (up to two days), long (up to 14) or late.';
COMMENT ON COLUMN census.pair_entry.os_release IS 'OS version at the second report; null: the app was not updated, or unknown.';
COMMENT ON COLUMN census.pair_entry.gained IS 'Kinds that the second report lists and of which there was nothing before; only for updates that lost the kind.';
ALTER TABLE census.pair_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.pair_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.pair_night (
    app_number integer NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    to_version text NOT NULL COLLATE pg_catalog."C",
    from_version text NOT NULL COLLATE pg_catalog."C",
    taken_at timestamp with time zone NOT NULL,
    day date NOT NULL,
    is_other_os boolean NOT NULL,
    pairs bigint NOT NULL,
    lost bigint NOT NULL,
    exposed_seconds bigint NOT NULL,
    gap text DEFAULT 'short'::text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT pair_night_counts CHECK (((0 <= lost) AND (lost <= pairs) AND (pairs > 0) AND (exposed_seconds > 0))),
    CONSTRAINT pair_night_gap_is_known CHECK ((gap = ANY (ARRAY['short'::text, 'long'::text, 'late'::text])))
);
COMMENT ON TABLE census.pair_night IS 'Local aggregate, append-only. Pairs as nights processed them, from which the evidence for losses is computed. Never restated.';
COMMENT ON COLUMN census.pair_night.app_number IS 'The app.';
COMMENT ON COLUMN census.pair_night.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.pair_night.kind IS 'A kind that was certain after the first report.';
COMMENT ON COLUMN census.pair_night.to_version IS 'The app''s version at the second report.';
COMMENT ON COLUMN census.pair_night.from_version IS 'The app''s version at the first report.';
COMMENT ON COLUMN census.pair_night.taken_at IS 'The night that processed them.';
COMMENT ON COLUMN census.pair_night.day IS 'The day of the second report, in the app''s zone.';
COMMENT ON COLUMN census.pair_night.is_other_os IS 'Whether the OS was updated between the reports.';
COMMENT ON COLUMN census.pair_night.pairs IS 'How many pairs.';
COMMENT ON COLUMN census.pair_night.lost IS 'Of these, pairs whose second report no longer lists the kind.';
COMMENT ON COLUMN census.pair_night.exposed_seconds IS 'Total time between the reports; each gap counts as at least an hour.';
COMMENT ON COLUMN census.pair_night.gap IS 'Length of the time between the reports: short (up to two days, and all pairs from before schema version 21), long (up to 14) or late, which is no evidence.';
CREATE TABLE census.partitions_lock (
    is_single boolean DEFAULT true NOT NULL,
    CONSTRAINT partitions_lock_is_single_check CHECK (is_single)
);
COMMENT ON TABLE census.partitions_lock IS 'Local, empty. Locked while a statement needs the partitions unchanged (row share), and while one is created or dropped (exclusive).';
COMMENT ON COLUMN census.partitions_lock.is_single IS 'Never filled.';
CREATE TABLE census.pending_device (
    device_id uuid NOT NULL,
    pending_number bigint NOT NULL,
    app_number integer NOT NULL,
    earliest_at timestamp with time zone,
    occurred_from timestamp with time zone,
    occurred_through timestamp with time zone,
    queued_at timestamp with time zone DEFAULT now() NOT NULL
);
COMMENT ON TABLE census.pending_device IS 'Device, queue. Devices with observations that the reconciler has not seen. Written in the transaction of the observations, so that one that commits late is never skipped.';
COMMENT ON COLUMN census.pending_device.device_id IS 'The device; it can be queued several times.';
COMMENT ON COLUMN census.pending_device.pending_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.pending_device.app_number IS 'The app.';
COMMENT ON COLUMN census.pending_device.earliest_at IS 'Earliest corrected time of the observations that queued the device; null: fold it from the start.';
COMMENT ON COLUMN census.pending_device.occurred_from IS 'Their earliest time as sent: older partitions need not be read.';
COMMENT ON COLUMN census.pending_device.occurred_through IS 'Their latest time as sent: newer partitions need not be read; null: read all.';
COMMENT ON COLUMN census.pending_device.queued_at IS 'When the device was queued; if a step put it back, when it was queued first.';
ALTER TABLE census.pending_device ALTER COLUMN pending_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.pending_device_pending_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.phase (
    device_id uuid NOT NULL,
    from_at timestamp with time zone NOT NULL,
    app_number integer NOT NULL,
    to_at timestamp with time zone,
    platform text NOT NULL,
    os_version text,
    app_version text NOT NULL,
    gallery_policy bigint,
    is_reporting boolean NOT NULL,
    is_cloned boolean NOT NULL,
    CONSTRAINT phase_has_length CHECK ((from_at < to_at))
);
COMMENT ON TABLE census.phase IS 'Device. A time in which a device was heard from and ran one version of the app on one version of the OS.';
COMMENT ON COLUMN census.phase.device_id IS 'Keyed hash of the app and the device id.';
COMMENT ON COLUMN census.phase.from_at IS 'Start.';
COMMENT ON COLUMN census.phase.app_number IS 'The app.';
COMMENT ON COLUMN census.phase.to_at IS 'End, excluded; null: it lasts until device.silent_at.';
COMMENT ON COLUMN census.phase.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.phase.os_version IS 'OS version, major and minor; null if not sent.';
COMMENT ON COLUMN census.phase.app_version IS 'As sent.';
COMMENT ON COLUMN census.phase.gallery_policy IS 'Version of the gallery policy that the app last reported as applied; null: none.';
COMMENT ON COLUMN census.phase.is_reporting IS 'Whether a report had succeeded within the activity window; in the last phase only until device.reporting_until.';
COMMENT ON COLUMN census.phase.is_cloned IS 'An installation that had ended had kept sending.';
CREATE TABLE census.read_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    reads bigint NOT NULL,
    reads_failed bigint NOT NULL,
    CONSTRAINT read_day_counts CHECK (((reads_failed >= 0) AND (reads_failed <= reads)))
);
COMMENT ON TABLE census.read_day IS 'Local. Empty and no longer used; replaced by read_quarter.';
COMMENT ON COLUMN census.read_day.app_number IS 'The app.';
COMMENT ON COLUMN census.read_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.read_day.reads IS 'Reads of the widget list, successful or not.';
COMMENT ON COLUMN census.read_day.reads_failed IS 'Of these, reads that failed.';
CREATE TABLE census.read_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    quarter_at timestamp with time zone NOT NULL,
    reads bigint NOT NULL,
    reads_failed bigint NOT NULL,
    reads_erased bigint DEFAULT 0 NOT NULL,
    reads_failed_erased bigint DEFAULT 0 NOT NULL
);
COMMENT ON TABLE census.read_entry IS 'Local queue. Reads, written in the transaction that stored them, by quarter of an hour, because days begin at one in every zone.';
COMMENT ON COLUMN census.read_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.read_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.read_entry.quarter_at IS 'Start of the quarter of an hour, on the server''s clock.';
COMMENT ON COLUMN census.read_entry.reads IS 'Reads of the widget list, successful or not.';
COMMENT ON COLUMN census.read_entry.reads_failed IS 'Of these, reads that failed.';
COMMENT ON COLUMN census.read_entry.reads_erased IS 'Of these, reads of devices that were forgotten since.';
COMMENT ON COLUMN census.read_entry.reads_failed_erased IS 'Of those, reads that failed.';
ALTER TABLE census.read_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.read_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.read_quarter (
    app_number integer NOT NULL,
    quarter_at timestamp with time zone NOT NULL,
    reads bigint NOT NULL,
    reads_failed bigint NOT NULL,
    reads_erased bigint DEFAULT 0 NOT NULL,
    reads_failed_erased bigint DEFAULT 0 NOT NULL,
    is_of_day boolean DEFAULT false NOT NULL,
    CONSTRAINT read_quarter_counts CHECK ((((reads_failed >= 0) AND (reads_failed <= reads)) AND ((reads_failed_erased >= 0) AND (reads_failed_erased <= reads_erased))))
);
COMMENT ON TABLE census.read_quarter IS 'Local aggregate. How often apps read the widget list, by quarter of an hour, because days begin at one in every zone.';
COMMENT ON COLUMN census.read_quarter.app_number IS 'The app.';
COMMENT ON COLUMN census.read_quarter.quarter_at IS 'Start of the quarter of an hour, on the server''s clock.';
COMMENT ON COLUMN census.read_quarter.reads IS 'Reads of the widget list, successful or not.';
COMMENT ON COLUMN census.read_quarter.reads_failed IS 'Of these, reads that failed.';
COMMENT ON COLUMN census.read_quarter.reads_erased IS 'Of these, reads of devices that were forgotten: the log no longer has them.';
COMMENT ON COLUMN census.read_quarter.reads_failed_erased IS 'Of those, reads that failed.';
COMMENT ON COLUMN census.read_quarter.is_of_day IS 'Whether the row has a whole day, at its noon, because it was counted before quarters were stored.';
CREATE TABLE census.readiness (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    decided_at timestamp with time zone DEFAULT now() NOT NULL,
    lifecycle text NOT NULL,
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL,
    devices_expected double precision NOT NULL,
    devices_silent bigint NOT NULL,
    devices_active bigint NOT NULL,
    devices_reporting bigint NOT NULL,
    devices_with_replacement bigint,
    limit_devices bigint NOT NULL,
    half_life_days double precision,
    half_life_low double precision,
    half_life_high double precision,
    ready_on date,
    ready_on_earliest date,
    ready_on_latest date,
    forecast text NOT NULL,
    verdict text NOT NULL,
    reason text NOT NULL,
    figures json NOT NULL,
    CONSTRAINT readiness_verdict_is_known CHECK ((verdict = ANY (ARRAY['ready'::text, 'not ready'::text, 'unknown'::text, 'retired'::text])))
);
COMMENT ON TABLE census.readiness IS 'Local aggregate. The verdict on each kind that was ever marked, by the last day that had ended then; the newest verdict of a day is kept.';
COMMENT ON COLUMN census.readiness.app_number IS 'The app.';
COMMENT ON COLUMN census.readiness.day IS 'The last day that had ended, in the app''s zone.';
COMMENT ON COLUMN census.readiness.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.readiness.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.readiness.decided_at IS 'When the verdict was made.';
COMMENT ON COLUMN census.readiness.lifecycle IS 'legacy, retired or active, as decided at that time.';
COMMENT ON COLUMN census.readiness.devices_certain IS 'At least this many active devices had it.';
COMMENT ON COLUMN census.readiness.devices_possible IS 'At most this many active devices had it.';
COMMENT ON COLUMN census.readiness.devices_expected IS 'The best estimate between the bounds.';
COMMENT ON COLUMN census.readiness.devices_silent IS 'Devices that went silent with it at most a year before.';
COMMENT ON COLUMN census.readiness.devices_active IS 'Devices heard from within the activity window.';
COMMENT ON COLUMN census.readiness.devices_reporting IS 'Of these, sent a successful report within it.';
COMMENT ON COLUMN census.readiness.devices_with_replacement IS 'Of the possible holders, devices that certainly have the replacement; null: none was named.';
COMMENT ON COLUMN census.readiness.limit_devices IS 'Limit for devices_possible + devices_silent.';
COMMENT ON COLUMN census.readiness.half_life_days IS 'Days until half of the holders are gone; null: cannot be estimated.';
COMMENT ON COLUMN census.readiness.half_life_low IS 'Lower end of its 80% interval.';
COMMENT ON COLUMN census.readiness.half_life_high IS 'Upper end of its 80% interval; null: open-ended.';
COMMENT ON COLUMN census.readiness.ready_on IS 'Day on which it will be ready at this rate; null: never, or cannot be estimated.';
COMMENT ON COLUMN census.readiness.ready_on_earliest IS 'Earliest day of the 80% interval.';
COMMENT ON COLUMN census.readiness.ready_on_latest IS 'Latest day of the 80% interval; null: open-ended.';
COMMENT ON COLUMN census.readiness.forecast IS 'The forecast in words: the date, that it is never ready at this rate, or why there is no forecast.';
COMMENT ON COLUMN census.readiness.verdict IS 'ready, not ready, unknown or retired.';
COMMENT ON COLUMN census.readiness.reason IS 'The failing conditions, or the figures that make it ready, in sentences.';
COMMENT ON COLUMN census.readiness.figures IS 'Every condition with its figure and its limit.';
CREATE TABLE census.reconciled (
    app_number integer NOT NULL,
    as_of timestamp with time zone NOT NULL
);
COMMENT ON TABLE census.reconciled IS 'Local. How far each app is reconciled.';
COMMENT ON COLUMN census.reconciled.app_number IS 'The app.';
COMMENT ON COLUMN census.reconciled.as_of IS 'Time of its last reconciled event.';
CREATE TABLE census.refused (
    device_id uuid NOT NULL,
    refused_on date NOT NULL,
    digest bytea NOT NULL,
    app_number integer NOT NULL,
    received_at timestamp with time zone NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    message text NOT NULL COLLATE pg_catalog."C",
    event_id text,
    event bytea NOT NULL
);
COMMENT ON TABLE census.refused IS 'Device. Events that the server refused, with the reason; a redelivery on the same day is not stored again.';
COMMENT ON COLUMN census.refused.device_id IS 'Keyed hash of the app and the device id.';
COMMENT ON COLUMN census.refused.refused_on IS 'The day, in UTC.';
COMMENT ON COLUMN census.refused.digest IS 'SHA-256 of the event as sent.';
COMMENT ON COLUMN census.refused.app_number IS 'The app.';
COMMENT ON COLUMN census.refused.received_at IS 'When the batch arrived.';
COMMENT ON COLUMN census.refused.code IS 'The stable code on the wire, such as too_old.';
COMMENT ON COLUMN census.refused.message IS 'Message that the sender got.';
COMMENT ON COLUMN census.refused.event_id IS 'The event''s id, if it could be read.';
COMMENT ON COLUMN census.refused.event IS 'The event''s bytes as sent, at most 64 KiB.';
CREATE TABLE census.retention (
    is_single boolean DEFAULT true NOT NULL,
    days integer DEFAULT 90 NOT NULL,
    kept_from date,
    apps_with_expired_hashes integer[] DEFAULT '{}'::integer[] NOT NULL,
    CONSTRAINT retention_is_sane CHECK (((days >= 1) AND (days <= 3650))),
    CONSTRAINT retention_is_single CHECK (is_single)
);
COMMENT ON TABLE census.retention IS 'Lookup. For how long observations are kept; one row.';
COMMENT ON COLUMN census.retention.is_single IS 'Always true: there is one row.';
COMMENT ON COLUMN census.retention.days IS 'Days for which an observation is kept; older events are refused as too_old.';
COMMENT ON COLUMN census.retention.kept_from IS 'First day, in UTC, of which every observation is kept; null: none was dropped yet.';
COMMENT ON COLUMN census.retention.apps_with_expired_hashes IS 'Apps that forgot a device whose hash is deleted by now. For devices without a base they accept nothing from before kept_from, because it might be that device.';
CREATE TABLE census.set_aside (
    device_id uuid NOT NULL,
    app_number integer NOT NULL,
    set_aside_at timestamp with time zone DEFAULT now() NOT NULL,
    reason text NOT NULL,
    is_implausible boolean DEFAULT false NOT NULL
);
COMMENT ON TABLE census.set_aside IS 'Device. Devices whose history could not be reconciled. They keep their numbers, and the observations that they need are kept. The next observation triggers a retry, except for implausible ones.';
COMMENT ON COLUMN census.set_aside.device_id IS 'The device.';
COMMENT ON COLUMN census.set_aside.app_number IS 'The app.';
COMMENT ON COLUMN census.set_aside.set_aside_at IS 'When it was last tried.';
COMMENT ON COLUMN census.set_aside.reason IS 'Why it could not be reconciled.';
COMMENT ON COLUMN census.set_aside.is_implausible IS 'It claims more than a phone can. It is not retried, and its observations are kept no longer than others.';
CREATE TABLE census.setting_act (
    act_number bigint NOT NULL,
    app_number integer NOT NULL,
    acted_at timestamp with time zone DEFAULT now() NOT NULL,
    actor text NOT NULL,
    reason text,
    changes json NOT NULL,
    verdicts json NOT NULL
);
COMMENT ON TABLE census.setting_act IS 'Lookup, append-only. Changes of an app''s settings.';
COMMENT ON COLUMN census.setting_act.act_number IS 'The order of the acts.';
COMMENT ON COLUMN census.setting_act.app_number IS 'The app.';
COMMENT ON COLUMN census.setting_act.acted_at IS 'When they were changed.';
COMMENT ON COLUMN census.setting_act.actor IS 'Who changed them.';
COMMENT ON COLUMN census.setting_act.reason IS 'Why, in the words of the person; null: no reason given.';
COMMENT ON COLUMN census.setting_act.changes IS 'An array of {setting, from, to}; the names are those of apps list.';
COMMENT ON COLUMN census.setting_act.verdicts IS 'An array with an object for each kind that was legacy or retired: {surface, kind, devices_possible, devices_silent, before, after}; before and after are verdicts.';
ALTER TABLE census.setting_act ALTER COLUMN act_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.setting_act_act_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.settings_lock (
    is_single boolean DEFAULT true NOT NULL,
    CONSTRAINT settings_lock_is_single_check CHECK (is_single)
);
COMMENT ON TABLE census.settings_lock IS 'Local, empty. Locked while devices are folded (row share), and while settings that affect folding change (exclusive).';
COMMENT ON COLUMN census.settings_lock.is_single IS 'Never filled.';
CREATE TABLE census.span (
    device_id uuid NOT NULL,
    ordinal integer NOT NULL,
    app_number integer NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    family text,
    intent text,
    configuration text,
    instance text,
    from_at timestamp with time zone NOT NULL,
    to_at timestamp with time zone,
    certain integer NOT NULL,
    suspect integer NOT NULL,
    reported integer NOT NULL,
    still_there integer,
    claim_platform text,
    claim_os_version text,
    began_cause text NOT NULL,
    began_rule text NOT NULL,
    ended_cause text,
    ended_rule text,
    presumed integer DEFAULT 0 NOT NULL,
    claim_rule text,
    either integer DEFAULT 0 NOT NULL,
    settled integer DEFAULT 0 NOT NULL,
    returned integer DEFAULT 0 NOT NULL,
    CONSTRAINT span_end_has_a_cause CHECK ((((to_at IS NULL) = (ended_cause IS NULL)) AND ((to_at IS NULL) = (ended_rule IS NULL)))),
    CONSTRAINT span_has_length CHECK ((from_at < to_at)),
    CONSTRAINT span_holds_something CHECK (((certain >= 0) AND (presumed >= 0) AND (suspect >= 0) AND (either >= 0) AND (reported >= 0) AND (((((certain + presumed) + suspect) + either) + reported) > 0))),
    CONSTRAINT span_outcome_is_within CHECK (((still_there >= 0) AND (still_there <= suspect))),
    CONSTRAINT span_says_what_it_holds CHECK ((((settled >= 0) AND (settled <= suspect)) AND ((returned >= 0) AND (returned <= certain))))
);
COMMENT ON TABLE census.span IS 'Device. A time in which a device had the same number of equal placements.';
COMMENT ON COLUMN census.span.device_id IS 'Keyed hash of the app and the device id.';
COMMENT ON COLUMN census.span.ordinal IS 'Identifies the span among those of its device; has no order.';
COMMENT ON COLUMN census.span.app_number IS 'The app.';
COMMENT ON COLUMN census.span.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.span.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.span.family IS 'systemSmall and so on; null if the app does not send it.';
COMMENT ON COLUMN census.span.intent IS 'Class name of the configuration intent.';
COMMENT ON COLUMN census.span.configuration IS 'Digest of the user''s settings.';
COMMENT ON COLUMN census.span.instance IS 'Android''s appWidgetId or a control''s token digest.';
COMMENT ON COLUMN census.span.from_at IS 'Start.';
COMMENT ON COLUMN census.span.to_at IS 'End, excluded; null: it still lasts.';
COMMENT ON COLUMN census.span.certain IS 'Placements that are proved.';
COMMENT ON COLUMN census.span.suspect IS 'Placements that the OS lists and that might be stale.';
COMMENT ON COLUMN census.span.reported IS 'Placements that the last successful report listed.';
COMMENT ON COLUMN census.span.still_there IS 'Of the suspects, how many proved to have been there; null: unknown yet.';
COMMENT ON COLUMN census.span.claim_platform IS 'Platform that first listed the suspects.';
COMMENT ON COLUMN census.span.claim_os_version IS 'OS version that first listed the suspects.';
COMMENT ON COLUMN census.span.began_cause IS 'Why it began; the values are those of report.changes.';
COMMENT ON COLUMN census.span.began_rule IS 'Rule of docs/why/reconciliation.md that began it.';
COMMENT ON COLUMN census.span.ended_cause IS 'Why it ended.';
COMMENT ON COLUMN census.span.ended_rule IS 'Rule that ended it.';
COMMENT ON COLUMN census.span.presumed IS 'Placements that are neither proved nor doubted: possible, and expected to be real.';
COMMENT ON COLUMN census.span.claim_rule IS 'The rule that doubts the suspects: reinstall or fresh_install.';
COMMENT ON COLUMN census.span.either IS 'Placements that an event might have removed, because it did not say which it meant: possible here, and not counted for the kind.';
COMMENT ON COLUMN census.span.settled IS 'Of the suspects, how many reached their outcome at the end of this span although it ended for another reason than a boot or use.';
COMMENT ON COLUMN census.span.returned IS 'Of the certain placements that began with it, how many returned from silence; the others began as began_cause says.';
CREATE VIEW census.suspect_share AS
 SELECT outcome_day.app_number,
    outcome_day.platform,
    outcome_day.os_version,
    (sum(outcome_day.suspects_settled))::bigint AS settled,
    (sum(outcome_day.suspects_still_there))::bigint AS still_there,
    ((sum(outcome_day.suspects_still_there) + 1.0) / (sum(outcome_day.suspects_settled) + 2.0)) AS share,
    outcome_day.claim_rule
   FROM census.outcome_day
  GROUP BY outcome_day.app_number, outcome_day.platform, outcome_day.os_version, outcome_day.claim_rule
 HAVING (sum(outcome_day.suspects_settled) > (0)::numeric);
COMMENT ON VIEW census.suspect_share IS 'Outcomes of suspects, by the OS that listed them and the rule that doubted them.';
COMMENT ON COLUMN census.suspect_share.app_number IS 'The app.';
COMMENT ON COLUMN census.suspect_share.platform IS 'Platform that first listed them.';
COMMENT ON COLUMN census.suspect_share.os_version IS 'OS version that first listed them; empty if unknown.';
COMMENT ON COLUMN census.suspect_share.settled IS 'Suspects whose outcome is known.';
COMMENT ON COLUMN census.suspect_share.still_there IS 'Of these, suspects that were still there.';
COMMENT ON COLUMN census.suspect_share.share IS '(still_there + 1) / (settled + 2).';
COMMENT ON COLUMN census.suspect_share.claim_rule IS 'The rule that doubted them: reinstall or fresh_install.';
CREATE VIEW census.unexplained_change AS
 SELECT step.app_number,
    step.day,
    step.surface,
    step.kind,
    (sum(step.widgets))::bigint AS widgets,
    (sum(step.devices))::bigint AS devices
   FROM ((( SELECT change_day.app_number,
            change_day.day,
            change_day.surface,
            change_day.kind,
            (change_day.widgets_added - change_day.widgets_removed) AS widgets,
            0 AS devices
           FROM census.change_day
        UNION ALL
         SELECT move_day.app_number,
            move_day.day,
            move_day.surface,
            move_day.kind,
            0,
            (move_day.devices_added - move_day.devices_removed)
           FROM census.move_day
        UNION ALL
         SELECT kind_day.app_number,
            kind_day.day,
            kind_day.surface,
            kind_day.kind,
            (- kind_day.widgets_certain),
            (- kind_day.devices_certain)
           FROM census.kind_day
        UNION ALL
         SELECT kind_day.app_number,
            (kind_day.day + 1),
            kind_day.surface,
            kind_day.kind,
            kind_day.widgets_certain,
            kind_day.devices_certain
           FROM census.kind_day) step
     JOIN census.closed_day today ON (((today.app_number = step.app_number) AND (today.day = step.day))))
     JOIN census.closed_day yesterday ON (((yesterday.app_number = step.app_number) AND (yesterday.day = (step.day - 1)))))
  GROUP BY step.app_number, step.day, step.surface, step.kind
 HAVING ((sum(step.widgets) <> (0)::numeric) OR (sum(step.devices) <> (0)::numeric));
COMMENT ON VIEW census.unexplained_change IS 'Kinds whose recorded changes do not add up to the change in certain counts between closed days.';
COMMENT ON COLUMN census.unexplained_change.app_number IS 'The app.';
COMMENT ON COLUMN census.unexplained_change.day IS 'The later of the two days.';
COMMENT ON COLUMN census.unexplained_change.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.unexplained_change.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.unexplained_change.widgets IS 'Placements added minus removed, minus the growth of the certain ones.';
COMMENT ON COLUMN census.unexplained_change.devices IS 'The same for devices.';
CREATE VIEW census.unknown_device AS
 SELECT heard.app_number,
    heard.device_id
   FROM ( SELECT pending_device.app_number,
            pending_device.device_id
           FROM census.pending_device
          WHERE ((pending_device.occurred_from < (now() + '1 day'::interval)) OR (NOT (EXISTS ( SELECT 1
                   FROM census.counted_device
                  WHERE (counted_device.device_id = pending_device.device_id)))))
        UNION
         SELECT set_aside.app_number,
            set_aside.device_id
           FROM census.set_aside
        UNION
         SELECT refused.app_number,
            refused.device_id
           FROM census.refused
          WHERE (refused.refused_on > (((now() AT TIME ZONE 'UTC'::text))::date - 28))) heard
  WHERE (NOT (EXISTS ( SELECT 1
           FROM census.counted_device
          WHERE ((counted_device.device_id = heard.device_id) AND (COALESCE(counted_device.silent_at, 'infinity'::timestamp with time zone) > now())))));
COMMENT ON VIEW census.unknown_device IS 'Devices that sent something but are not counted as active: nobody knows which widgets they have.';
COMMENT ON COLUMN census.unknown_device.app_number IS 'The app.';
COMMENT ON COLUMN census.unknown_device.device_id IS 'Keyed hash of the app and the device id.';
CREATE TABLE census.use_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    use text NOT NULL COLLATE pg_catalog."C",
    devices bigint NOT NULL,
    events bigint NOT NULL,
    CONSTRAINT use_day_counts CHECK (((0 <= devices) AND (devices <= events)))
);
COMMENT ON TABLE census.use_day IS 'Local aggregate. How many devices used widgets of a kind on each closed day, and how often.';
COMMENT ON COLUMN census.use_day.app_number IS 'The app.';
COMMENT ON COLUMN census.use_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.use_day.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.use_day.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.use_day.use IS 'opened, configured or rendered; installed or removed: not a use.';
COMMENT ON COLUMN census.use_day.devices IS 'Distinct devices.';
COMMENT ON COLUMN census.use_day.events IS 'Events, each counted once no matter how often it was delivered.';
CREATE TABLE census.use_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    use text NOT NULL,
    devices bigint NOT NULL,
    events bigint NOT NULL
);
COMMENT ON TABLE census.use_entry IS 'Local queue. Net changes of use_day that no night has processed; each changes only this day.';
COMMENT ON COLUMN census.use_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.use_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.use_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.use_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.use_entry.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.use_entry.use IS 'opened, configured or rendered; installed or removed: not a use.';
COMMENT ON COLUMN census.use_entry.devices IS 'Distinct devices.';
COMMENT ON COLUMN census.use_entry.events IS 'Events, each counted once no matter how often it was delivered.';
ALTER TABLE census.use_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.use_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.version_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    app_version text NOT NULL COLLATE pg_catalog."C",
    os_version text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL,
    widgets_certain bigint NOT NULL,
    widgets_possible bigint NOT NULL,
    CONSTRAINT version_day_bounds_are_ordered CHECK (((0 <= devices_certain) AND (devices_certain <= devices_possible) AND (0 <= widgets_certain) AND (widgets_certain <= widgets_possible)))
);
COMMENT ON TABLE census.version_day IS 'Local aggregate. Devices that had a kind at the end of each closed day, by versions and platform: distinct devices over all families.';
COMMENT ON COLUMN census.version_day.app_number IS 'The app.';
COMMENT ON COLUMN census.version_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.version_day.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.version_day.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.version_day.app_version IS 'App version on the device when the day ended.';
COMMENT ON COLUMN census.version_day.os_version IS 'OS version, major and minor; empty if not sent.';
COMMENT ON COLUMN census.version_day.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.version_day.devices_certain IS 'At least this many devices had it.';
COMMENT ON COLUMN census.version_day.devices_possible IS 'At most this many devices had it.';
COMMENT ON COLUMN census.version_day.widgets_certain IS 'Certain placements.';
COMMENT ON COLUMN census.version_day.widgets_possible IS 'Certain or possible placements.';
CREATE TABLE census.version_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    surface text NOT NULL,
    kind text NOT NULL,
    app_version text NOT NULL,
    os_version text NOT NULL,
    platform text NOT NULL,
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL,
    widgets_certain bigint NOT NULL,
    widgets_possible bigint NOT NULL
);
COMMENT ON TABLE census.version_entry IS 'Local queue. Net changes of version_day that no night has processed; each changes this day and all later ones.';
COMMENT ON COLUMN census.version_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.version_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.version_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.version_entry.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN census.version_entry.kind IS 'The widget''s kind.';
COMMENT ON COLUMN census.version_entry.app_version IS 'App version on the device when the day ended.';
COMMENT ON COLUMN census.version_entry.os_version IS 'OS version, major and minor; empty if not sent.';
COMMENT ON COLUMN census.version_entry.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.version_entry.devices_certain IS 'Net change of devices_certain.';
COMMENT ON COLUMN census.version_entry.devices_possible IS 'Net change of devices_possible.';
COMMENT ON COLUMN census.version_entry.widgets_certain IS 'Certain placements.';
COMMENT ON COLUMN census.version_entry.widgets_possible IS 'Certain or possible placements.';
ALTER TABLE census.version_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.version_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE VIEW census.waiting_device AS
 SELECT DISTINCT pending_device.app_number,
    pending_device.device_id
   FROM (census.pending_device
     JOIN census.counted_device ON ((counted_device.device_id = pending_device.device_id)))
  WHERE ((pending_device.occurred_from < (now() + '1 day'::interval)) AND (COALESCE(counted_device.silent_at, 'infinity'::timestamp with time zone) > now()));
COMMENT ON VIEW census.waiting_device IS 'Active devices with new observations that wait for the reconciler.';
COMMENT ON COLUMN census.waiting_device.app_number IS 'The app.';
COMMENT ON COLUMN census.waiting_device.device_id IS 'Keyed hash of the app and the device id.';
CREATE TABLE census.warned (
    device_id uuid NOT NULL,
    warned_on date NOT NULL,
    code text NOT NULL COLLATE pg_catalog."C",
    app_number integer NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    received_at timestamp with time zone NOT NULL,
    app_version text NOT NULL COLLATE pg_catalog."C",
    pointer text NOT NULL,
    message text NOT NULL
);
COMMENT ON TABLE census.warned IS 'Device. The newest warning of each day, by device and code.';
COMMENT ON COLUMN census.warned.device_id IS 'Keyed hash of the app and the device id.';
COMMENT ON COLUMN census.warned.warned_on IS 'The day of receipt, in UTC.';
COMMENT ON COLUMN census.warned.code IS 'Warning code that the sender got.';
COMMENT ON COLUMN census.warned.app_number IS 'The app.';
COMMENT ON COLUMN census.warned.occurred_at IS 'When the newest event of its batch happened, by the device''s clock.';
COMMENT ON COLUMN census.warned.received_at IS 'When the batch arrived.';
COMMENT ON COLUMN census.warned.app_version IS 'App version that sent the batch.';
COMMENT ON COLUMN census.warned.pointer IS 'RFC 6901: the place in the batch.';
COMMENT ON COLUMN census.warned.message IS 'Message that the sender got.';
CREATE TABLE census.webhook (
    webhook_number bigint NOT NULL,
    app_number integer NOT NULL,
    url text,
    secret bytea,
    allows_private boolean NOT NULL,
    added_at timestamp with time zone DEFAULT now() NOT NULL,
    added_by text NOT NULL,
    delivered_at timestamp with time zone,
    failing_since timestamp with time zone,
    last_status integer,
    last_error text,
    gone_at timestamp with time zone,
    removed_at timestamp with time zone,
    removed_by text,
    form text DEFAULT 'standard'::text NOT NULL,
    console_url text,
    night_failed_at timestamp with time zone,
    CONSTRAINT webhook_forgets_when_removed CHECK ((((url IS NULL) = (removed_at IS NOT NULL)) AND ((secret IS NULL) = (removed_at IS NOT NULL)) AND ((removed_by IS NULL) = (removed_at IS NULL)))),
    CONSTRAINT webhook_form_is_known CHECK ((form = ANY (ARRAY['standard'::text, 'slack'::text])))
);
COMMENT ON TABLE census.webhook IS 'Local. The receivers of messages about an app. When a webhook is removed, its row stays without address and secret.';
COMMENT ON COLUMN census.webhook.webhook_number IS 'Names it on the command line; has no order.';
COMMENT ON COLUMN census.webhook.app_number IS 'The app.';
COMMENT ON COLUMN census.webhook.url IS 'Address that messages are posted to; can contain a secret of the receiver''s. Null: removed.';
COMMENT ON COLUMN census.webhook.secret IS 'Key that signs its messages. Null: removed.';
COMMENT ON COLUMN census.webhook.allows_private IS 'Whether its address can be in a private network.';
COMMENT ON COLUMN census.webhook.added_at IS 'When it was added.';
COMMENT ON COLUMN census.webhook.added_by IS 'Who added it.';
COMMENT ON COLUMN census.webhook.delivered_at IS 'When it last accepted a message; null: never.';
COMMENT ON COLUMN census.webhook.failing_since IS 'The first failure since then; null: the last attempt succeeded, or there was none.';
COMMENT ON COLUMN census.webhook.last_status IS 'Status of its last response; null: the last attempt got none.';
COMMENT ON COLUMN census.webhook.last_error IS 'Why the last attempt failed, without address and message; null: it did not fail.';
COMMENT ON COLUMN census.webhook.gone_at IS 'When it answered 410 Gone. It gets no more messages until a test succeeds; null: it did not.';
COMMENT ON COLUMN census.webhook.removed_at IS 'When a person removed it; null: it was not removed.';
COMMENT ON COLUMN census.webhook.removed_by IS 'Who removed it.';
COMMENT ON COLUMN census.webhook.form IS 'standard: as docs/reference/webhook.schema.json says; slack: a text for people.';
COMMENT ON COLUMN census.webhook.console_url IS 'Where receivers reach the console; null: messages have no link.';
COMMENT ON COLUMN census.webhook.night_failed_at IS 'When it was told that a night failed; null: the last night that it was told of did not fail.';
CREATE TABLE census.webhook_delivery (
    webhook_number bigint NOT NULL,
    message_id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    payload text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone,
    delivered_at timestamp with time zone,
    given_up_at timestamp with time zone,
    last_status integer,
    last_error text,
    CONSTRAINT webhook_delivery_attempts CHECK ((attempts >= 0)),
    CONSTRAINT webhook_delivery_waits_or_is_over CHECK ((num_nonnulls(next_attempt_at, delivered_at, given_up_at) = 1))
);
COMMENT ON TABLE census.webhook_delivery IS 'Local queue. A message to a webhook, kept until it is delivered or given up, and some weeks longer.';
COMMENT ON COLUMN census.webhook_delivery.webhook_number IS 'The webhook.';
COMMENT ON COLUMN census.webhook_delivery.message_id IS 'The same at every attempt, and for all webhooks of the app, so that receivers recognize repetitions.';
COMMENT ON COLUMN census.webhook_delivery.type IS 'The message''s type, such as mass_loss.opened: see docs/guides/webhooks.md.';
COMMENT ON COLUMN census.webhook_delivery.payload IS 'The body, byte for byte as it is signed.';
COMMENT ON COLUMN census.webhook_delivery.created_at IS 'When it was queued.';
COMMENT ON COLUMN census.webhook_delivery.attempts IS 'Attempts begun.';
COMMENT ON COLUMN census.webhook_delivery.next_attempt_at IS 'When it is due. During an attempt: when other nodes assume that it failed. Null: it is finished.';
COMMENT ON COLUMN census.webhook_delivery.delivered_at IS 'When the receiver accepted it; null: not yet.';
COMMENT ON COLUMN census.webhook_delivery.given_up_at IS 'When it was given up; null: it was not.';
COMMENT ON COLUMN census.webhook_delivery.last_status IS 'Status of the last response; null: there was none.';
COMMENT ON COLUMN census.webhook_delivery.last_error IS 'Why the last attempt failed, without address and message; null: it did not fail.';
ALTER TABLE census.webhook ALTER COLUMN webhook_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.webhook_webhook_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census.widget_count_day (
    app_number integer NOT NULL,
    day date NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    widgets bigint NOT NULL,
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL,
    CONSTRAINT widget_count_day_counts CHECK (((devices_certain >= 0) AND (devices_possible >= 0))),
    CONSTRAINT widget_count_day_widgets_are_few CHECK (((widgets >= 0) AND (widgets <= 11)))
);
COMMENT ON TABLE census.widget_count_day IS 'Local aggregate. Devices heard from in the activity window that ended with each closed day, by their number of placements on the surfaces widget and today.';
COMMENT ON COLUMN census.widget_count_day.app_number IS 'The app.';
COMMENT ON COLUMN census.widget_count_day.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.widget_count_day.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.widget_count_day.widgets IS 'Number of placements; 11: that many or more.';
COMMENT ON COLUMN census.widget_count_day.devices_certain IS 'Devices that certainly had this many, and no more.';
COMMENT ON COLUMN census.widget_count_day.devices_possible IS 'Devices that certainly or possibly had this many, and no more.';
CREATE TABLE census.widget_count_entry (
    entry_number bigint NOT NULL,
    app_number integer NOT NULL,
    day date NOT NULL,
    platform text NOT NULL COLLATE pg_catalog."C",
    widgets bigint NOT NULL,
    devices_certain bigint NOT NULL,
    devices_possible bigint NOT NULL
);
COMMENT ON TABLE census.widget_count_entry IS 'Local queue. Net changes of widget_count_day that no night has processed; each changes this day and all later ones.';
COMMENT ON COLUMN census.widget_count_entry.entry_number IS 'Identifies the entry; has no order.';
COMMENT ON COLUMN census.widget_count_entry.app_number IS 'The app.';
COMMENT ON COLUMN census.widget_count_entry.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN census.widget_count_entry.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN census.widget_count_entry.widgets IS 'Number of placements; 11: that many or more.';
COMMENT ON COLUMN census.widget_count_entry.devices_certain IS 'Devices that certainly had this many, and no more.';
COMMENT ON COLUMN census.widget_count_entry.devices_possible IS 'Devices that certainly or possibly had this many, and no more.';
ALTER TABLE census.widget_count_entry ALTER COLUMN entry_number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME census.widget_count_entry_entry_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
CREATE TABLE census_schema.version (
    version integer NOT NULL,
    name text NOT NULL,
    digest text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
COMMENT ON TABLE census_schema.version IS 'Local. The applied migrations. Version 0 is the views, which are recreated when their text changes; version -1 is the states of devices.';
COMMENT ON COLUMN census_schema.version.version IS 'The number in the file''s name.';
COMMENT ON COLUMN census_schema.version.name IS 'The file''s name.';
COMMENT ON COLUMN census_schema.version.digest IS 'SHA-256 of its text; for -1 the newest format in which states were written, and the rules by which devices are folded.';
COMMENT ON COLUMN census_schema.version.applied_at IS 'When it was applied.';
CREATE VIEW report.active AS
 SELECT app.app_id,
    active_day.day,
    active_day.platform,
        CASE
            WHEN (active_day.scope <> 'all'::text) THEN active_day.surface
            ELSE NULL::text
        END AS surface,
        CASE
            WHEN (active_day.scope = ANY (ARRAY['kind'::text, 'kind_family'::text])) THEN active_day.kind
            ELSE NULL::text
        END AS kind,
        CASE
            WHEN (active_day.scope = ANY (ARRAY['family'::text, 'kind_family'::text])) THEN active_day.family
            ELSE NULL::text
        END AS family,
    active_day.devices_daily,
    active_day.devices_weekly,
    active_day.devices_in_window
   FROM (census.app
     JOIN census.active_day ON ((active_day.app_number = app.app_number)))
  WHERE (active_day.devices_in_window > 0);
COMMENT ON VIEW report.active IS 'How many devices were active daily, weekly and within the activity window, with and without widgets.';
COMMENT ON COLUMN report.active.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.active.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN report.active.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN report.active.surface IS 'Devices that had a widget on this surface; null: all devices, with or without one.';
COMMENT ON COLUMN report.active.kind IS 'Devices that had this kind; null: any kind.';
COMMENT ON COLUMN report.active.family IS 'Devices that had this family; null: any family, sent or not.';
COMMENT ON COLUMN report.active.devices_daily IS 'Distinct devices heard from that day.';
COMMENT ON COLUMN report.active.devices_weekly IS 'Distinct devices heard from in the seven days ending that day, or in the activity window if that is shorter.';
COMMENT ON COLUMN report.active.devices_in_window IS 'Distinct devices heard from in the activity window ending that day.';
CREATE VIEW report.acts AS
 SELECT app.app_id,
    kind_act.act_number AS act,
    ((kind_act.acted_at AT TIME ZONE app.zone))::date AS day,
    kind_act.acted_at,
    kind_act.surface,
    kind_act.kind,
    kind_act.lifecycle,
    kind_act.replaced_by,
    kind_act.devices_certain,
    kind_act.devices_possible,
    kind_act.reason
   FROM (census.app
     JOIN census.kind_act ON ((kind_act.app_number = app.app_number)));
COMMENT ON VIEW report.acts IS 'What people decided about kinds, and when.';
COMMENT ON COLUMN report.acts.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.acts.act IS 'Number of the act, which is also the gallery policy''s version from then on; later acts have higher numbers.';
COMMENT ON COLUMN report.acts.day IS 'Day of the decision, in the app''s time zone.';
COMMENT ON COLUMN report.acts.acted_at IS 'When it was decided.';
COMMENT ON COLUMN report.acts.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.acts.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.acts.lifecycle IS 'What the kind became: active, legacy or retired.';
COMMENT ON COLUMN report.acts.replaced_by IS 'Kind that replaces it; null: none was named.';
COMMENT ON COLUMN report.acts.devices_certain IS 'At least this many devices had it then.';
COMMENT ON COLUMN report.acts.devices_possible IS 'At most this many devices had it then.';
COMMENT ON COLUMN report.acts.reason IS 'Why, in the person''s words; null: no reason given.';
CREATE VIEW report.adoption AS
 SELECT app.app_id,
    counted.day,
    counted.app_version,
    NULLIF(counted.os_version, ''::text) AS os_version,
    counted.devices_active,
    counted.devices_with_any_widget,
    round(((counted.devices_with_any_widget)::numeric / (counted.devices_active)::numeric), 4) AS share,
    counted.devices_with_any_widget_possible
   FROM (census.app
     CROSS JOIN LATERAL ( SELECT device_day.day,
            device_day.app_version,
            device_day.os_version,
            (sum(device_day.devices_active))::bigint AS devices_active,
            (sum(device_day.devices_with_widget))::bigint AS devices_with_any_widget,
            (sum(device_day.devices_with_widget_possible))::bigint AS devices_with_any_widget_possible
           FROM census.device_day
          WHERE (device_day.app_number = app.app_number)
          GROUP BY device_day.day, device_day.app_version, device_day.os_version
         HAVING (sum(device_day.devices_active) > (0)::numeric)) counted);
COMMENT ON VIEW report.adoption IS 'What share of devices has any widget, by app version and OS version.';
COMMENT ON COLUMN report.adoption.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.adoption.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN report.adoption.app_version IS 'App version on the device when the day ended.';
COMMENT ON COLUMN report.adoption.os_version IS 'OS version, major and minor; null if not sent.';
COMMENT ON COLUMN report.adoption.devices_active IS 'Devices heard from in the activity window that ended with the day.';
COMMENT ON COLUMN report.adoption.devices_with_any_widget IS 'Of these, certainly had a placement on the surface widget or today.';
COMMENT ON COLUMN report.adoption.share IS 'devices_with_any_widget / devices_active.';
COMMENT ON COLUMN report.adoption.devices_with_any_widget_possible IS 'Of devices_active, certainly or possibly had a placement on the surface widget or today (upper bound).';
CREATE VIEW report.adoption_by_platform AS
 SELECT app.app_id,
    counted.day,
    counted.platform,
    counted.app_version,
    NULLIF(counted.os_version, ''::text) AS os_version,
    counted.devices_active,
    counted.devices_with_any_widget,
    counted.devices_with_any_widget_possible,
    round(((counted.devices_with_any_widget)::numeric / (counted.devices_active)::numeric), 4) AS share,
    round(((counted.devices_with_any_widget_possible)::numeric / (counted.devices_active)::numeric), 4) AS share_possible
   FROM (census.app
     CROSS JOIN LATERAL ( SELECT device_day.day,
            device_day.platform,
            device_day.app_version,
            device_day.os_version,
            (sum(device_day.devices_active))::bigint AS devices_active,
            (sum(device_day.devices_with_widget))::bigint AS devices_with_any_widget,
            (sum(device_day.devices_with_widget_possible))::bigint AS devices_with_any_widget_possible
           FROM census.device_day
          WHERE (device_day.app_number = app.app_number)
          GROUP BY device_day.day, device_day.platform, device_day.app_version, device_day.os_version
         HAVING (sum(device_day.devices_active) > (0)::numeric)) counted);
COMMENT ON VIEW report.adoption_by_platform IS 'What share of devices has any widget, by platform, app version and OS version.';
COMMENT ON COLUMN report.adoption_by_platform.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.adoption_by_platform.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN report.adoption_by_platform.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN report.adoption_by_platform.app_version IS 'App version on the device when the day ended.';
COMMENT ON COLUMN report.adoption_by_platform.os_version IS 'OS version, major and minor; null if not sent.';
COMMENT ON COLUMN report.adoption_by_platform.devices_active IS 'Devices heard from in the activity window that ended with the day.';
COMMENT ON COLUMN report.adoption_by_platform.devices_with_any_widget IS 'Of these, certainly had a placement on the surface widget or today (lower bound).';
COMMENT ON COLUMN report.adoption_by_platform.devices_with_any_widget_possible IS 'Of devices_active, certainly or possibly had one (upper bound).';
COMMENT ON COLUMN report.adoption_by_platform.share IS 'devices_with_any_widget / devices_active.';
COMMENT ON COLUMN report.adoption_by_platform.share_possible IS 'devices_with_any_widget_possible / devices_active.';
CREATE VIEW report.changes AS
 SELECT app.app_id,
    change_day.day,
    change_day.surface,
    change_day.kind,
    NULLIF(change_day.family, ''::text) AS family,
    change_day.cause,
    change_day.widgets_added,
    change_day.widgets_removed
   FROM (census.app
     JOIN census.change_day ON ((change_day.app_number = app.app_number)))
  WHERE ((change_day.widgets_added > 0) OR (change_day.widgets_removed > 0));
COMMENT ON VIEW report.changes IS 'Which widgets were added and removed each day, and why.';
COMMENT ON COLUMN report.changes.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.changes.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN report.changes.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.changes.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.changes.family IS 'systemSmall and so on; null if the app does not send it.';
COMMENT ON COLUMN report.changes.cause IS 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten.';
COMMENT ON COLUMN report.changes.widgets_added IS 'Placements that became certain.';
COMMENT ON COLUMN report.changes.widgets_removed IS 'Placements that stopped being certain.';
CREATE VIEW report.changes_by_version AS
 SELECT app.app_id,
    move_day.day,
    move_day.surface,
    move_day.kind,
    move_day.cause,
    NULLIF(move_day.app_version, ''::text) AS app_version,
    NULLIF(move_day.os_version, ''::text) AS os_version,
    NULLIF(move_day.platform, ''::text) AS platform,
    move_day.widgets_added,
    move_day.widgets_removed,
    move_day.devices_added,
    move_day.devices_removed
   FROM (census.app
     JOIN census.move_day ON ((move_day.app_number = app.app_number)))
  WHERE ((move_day.widgets_added > 0) OR (move_day.widgets_removed > 0) OR (move_day.devices_added > 0) OR (move_day.devices_removed > 0));
COMMENT ON VIEW report.changes_by_version IS 'How many widgets were added and removed each day, by app version and OS version.';
COMMENT ON COLUMN report.changes_by_version.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.changes_by_version.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN report.changes_by_version.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.changes_by_version.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.changes_by_version.cause IS 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten.';
COMMENT ON COLUMN report.changes_by_version.app_version IS 'App version that first showed the change.';
COMMENT ON COLUMN report.changes_by_version.os_version IS 'OS version at that time, major and minor; null if not sent.';
COMMENT ON COLUMN report.changes_by_version.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN report.changes_by_version.widgets_added IS 'Placements that became certain.';
COMMENT ON COLUMN report.changes_by_version.widgets_removed IS 'Placements that stopped being certain.';
COMMENT ON COLUMN report.changes_by_version.devices_added IS 'Devices on which the kind became certain.';
COMMENT ON COLUMN report.changes_by_version.devices_removed IS 'Devices on which the kind stopped being certain.';
CREATE VIEW report.coverage AS
 SELECT app.app_id,
    closed_day.day,
    COALESCE(active.devices, (0)::bigint) AS devices_active,
    COALESCE(active.reporting, (0)::bigint) AS devices_reporting,
    round(((active.reporting)::numeric / (NULLIF(active.devices, 0))::numeric), 4) AS share_reporting,
    COALESCE(read.reads, (0)::bigint) AS reads,
    COALESCE(read.reads_failed, (0)::bigint) AS reads_failed,
    COALESCE(active.cloned, (0)::bigint) AS devices_cloned,
        CASE
            WHEN (policy.version IS NOT NULL) THEN COALESCE(active.applied, (0)::bigint)
            ELSE NULL::bigint
        END AS policy_applied
   FROM ((((census.app
     JOIN census.closed_day ON ((closed_day.app_number = app.app_number)))
     CROSS JOIN LATERAL ( SELECT (sum(read_quarter.reads))::bigint AS reads,
            (sum(read_quarter.reads_failed))::bigint AS reads_failed
           FROM census.read_quarter
          WHERE ((read_quarter.app_number = closed_day.app_number) AND (read_quarter.quarter_at >= (((closed_day.day)::timestamp without time zone AT TIME ZONE app.zone) - '02:00:00'::interval)) AND (read_quarter.quarter_at < ((((closed_day.day + 1))::timestamp without time zone AT TIME ZONE app.zone) + '02:00:00'::interval)) AND (((read_quarter.quarter_at AT TIME ZONE app.zone))::date = closed_day.day))) read)
     CROSS JOIN LATERAL ( SELECT max(kind_act.act_number) FILTER (WHERE (kind_act.acted_at < (((closed_day.day + 1))::timestamp without time zone AT TIME ZONE app.zone))) AS version,
            max(kind_act.act_number) AS newest
           FROM census.kind_act
          WHERE (kind_act.app_number = app.app_number)) policy)
     CROSS JOIN LATERAL ( SELECT (sum(device_day.devices_active))::bigint AS devices,
            (sum(device_day.devices_reporting))::bigint AS reporting,
            (sum(device_day.devices_cloned))::bigint AS cloned,
            (sum(device_day.devices_active) FILTER (WHERE ((device_day.gallery_policy >= policy.version) AND (device_day.gallery_policy <= policy.newest))))::bigint AS applied
           FROM census.device_day
          WHERE ((device_day.app_number = closed_day.app_number) AND (device_day.day = closed_day.day))) active);
COMMENT ON VIEW report.coverage IS 'For how many devices we know the state, day by day.';
COMMENT ON COLUMN report.coverage.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.coverage.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN report.coverage.devices_active IS 'Devices heard from in the activity window that ended with the day.';
COMMENT ON COLUMN report.coverage.devices_reporting IS 'Active devices that sent a successful report within the window.';
COMMENT ON COLUMN report.coverage.share_reporting IS 'devices_reporting / devices_active; null if no device was active.';
COMMENT ON COLUMN report.coverage.reads IS 'How often apps read the widget list that day.';
COMMENT ON COLUMN report.coverage.reads_failed IS 'Of these, reads that failed.';
COMMENT ON COLUMN report.coverage.devices_cloned IS 'Active devices known to exist twice: an installation that had ended kept sending.';
COMMENT ON COLUMN report.coverage.policy_applied IS 'Active devices that had applied the gallery policy in force when the day ended; null before the first policy.';
CREATE VIEW report.engagement AS
 SELECT app.app_id,
    counted.cohort_week,
    counted.week,
    counted.has_widget,
    counted.devices,
    counted.devices_active,
    counted.active_days
   FROM (census.app
     CROSS JOIN LATERAL ( SELECT cohort.cohort_week,
            (((week_end.day - 13) - cohort.cohort_week) / 7) AS week,
            cohort.has_widget,
            cohort.devices,
            COALESCE(heard.devices_active, (0)::bigint) AS devices_active,
            COALESCE(heard.active_days, (0)::bigint) AS active_days
           FROM ((( SELECT engagement_day.week AS cohort_week,
                    engagement_day.has_widget,
                    (sum(engagement_day.devices))::bigint AS devices
                   FROM census.engagement_day
                  WHERE (engagement_day.app_number = app.app_number)
                  GROUP BY engagement_day.week, engagement_day.has_widget
                 HAVING (sum(engagement_day.devices) > (0)::numeric)) cohort
             JOIN census.closed_day week_end ON (((week_end.app_number = app.app_number) AND (EXTRACT(isodow FROM week_end.day) = (7)::numeric) AND (week_end.day >= (cohort.cohort_week + 13)))))
             LEFT JOIN census.engagement_day heard ON (((heard.app_number = app.app_number) AND (heard.week = cohort.cohort_week) AND (heard.has_widget = cohort.has_widget) AND (heard.day = week_end.day))))) counted);
COMMENT ON VIEW report.engagement IS 'How many days devices with and without a widget are heard from, week after week. No proof of what a widget causes.';
COMMENT ON COLUMN report.engagement.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.engagement.cohort_week IS 'Monday of the week in which the devices were first heard from, in the app''s time zone.';
COMMENT ON COLUMN report.engagement.week IS 'Weeks of seven days, counted for each device from the day on which it was first heard from: 0 is that day and the next six.';
COMMENT ON COLUMN report.engagement.has_widget IS 'Whether the devices had a widget, certainly or possibly, at some time in their week 0.';
COMMENT ON COLUMN report.engagement.devices IS 'Devices in this part of the cohort; the same in every week.';
COMMENT ON COLUMN report.engagement.devices_active IS 'Of these, heard from in the week.';
COMMENT ON COLUMN report.engagement.active_days IS 'Days of the week on which they were heard from, added up: 0 to 7 for each device.';
CREATE VIEW report.ghosts AS
 SELECT app.app_id,
    kind_day.day,
    kind_day.surface,
    kind_day.kind,
    kind_day.widgets_suspect,
    kind_day.widgets_gone,
    kind_day.widgets_still_there
   FROM (census.app
     JOIN census.kind_day ON ((kind_day.app_number = app.app_number)))
  WHERE (kind_day.widgets_suspect > 0);
COMMENT ON VIEW report.ghosts IS 'How many reported widgets might have been stale each day, and how many of those proved to be gone.';
COMMENT ON COLUMN report.ghosts.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.ghosts.day IS 'Day at whose end we counted, in the app''s time zone.';
COMMENT ON COLUMN report.ghosts.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.ghosts.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.ghosts.widgets_suspect IS 'Placements that the OS listed and that might have been stale: suspects.';
COMMENT ON COLUMN report.ghosts.widgets_gone IS 'Suspects that later proved to be gone: ghosts.';
COMMENT ON COLUMN report.ghosts.widgets_still_there IS 'Suspects that later proved to have been there.';
CREATE VIEW report.intents AS
 SELECT app.app_id,
    counted.day,
    counted.surface,
    counted.kind,
    NULLIF(counted.intent, ''::text) AS intent,
    counted.devices_certain,
    counted.devices_possible,
    counted.device_configurations
   FROM (census.app
     CROSS JOIN LATERAL ( SELECT ranked.day,
            ranked.surface,
            ranked.kind,
            ranked.intent,
            max(ranked.devices_certain) AS devices_certain,
            (sum(ranked.devices_possible))::bigint AS devices_possible,
            (sum(ranked.device_configurations))::bigint AS device_configurations
           FROM ( SELECT intent_day.day,
                    intent_day.surface,
                    intent_day.kind,
                        CASE
                            WHEN (row_number() OVER largest <= 50) THEN intent_day.intent
                            ELSE '(other)'::text
                        END AS intent,
                    intent_day.devices_certain,
                    intent_day.devices_possible,
                    intent_day.device_configurations
                   FROM census.intent_day
                  WHERE (intent_day.app_number = app.app_number)
                  WINDOW largest AS (PARTITION BY intent_day.day, intent_day.surface, intent_day.kind ORDER BY intent_day.devices_possible DESC, intent_day.intent)) ranked
          GROUP BY ranked.day, ranked.surface, ranked.kind, ranked.intent) counted);
COMMENT ON VIEW report.intents IS 'How many devices had each widget kind with each configuration intent, day by day.';
COMMENT ON COLUMN report.intents.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.intents.day IS 'Day at whose end we counted, in the app''s time zone.';
COMMENT ON COLUMN report.intents.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.intents.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.intents.intent IS 'Class name of the configuration intent; null if none was sent, (other) for those after the 50 largest.';
COMMENT ON COLUMN report.intents.devices_certain IS 'At least this many devices had it (lower bound).';
COMMENT ON COLUMN report.intents.devices_possible IS 'At most this many devices had it (upper bound).';
COMMENT ON COLUMN report.intents.device_configurations IS 'Distinct configurations that each device certainly had, added up: one that two devices share counts twice.';
CREATE VIEW report.lifetimes AS
 SELECT app.app_id,
    cohort.surface,
    cohort.kind,
    cohort.cohort_week,
    cohort.placements,
    cohort.ended,
    ((cohort.placements - cohort.ended) - cohort.out_of_sight) AS still_there,
    cohort.out_of_sight,
    cohort.days_p25,
    cohort.days_p50,
    cohort.days_p75,
    cohort.ended_removed,
    cohort.ended_configured,
    cohort.ended_reinstalled,
    cohort.ended_upgrade_loss
   FROM (census.app
     CROSS JOIN LATERAL ( SELECT survival.surface,
            survival.kind,
            survival.cohort_week,
            survival.placements,
            (COALESCE(sum(survival.ended), (0)::numeric))::bigint AS ended,
            (COALESCE(sum(survival.out_of_sight), (0)::numeric))::bigint AS out_of_sight,
            min(survival.days) FILTER (WHERE (survival.is_observed AND (survival.share < ((0.75 + 0.000000001))::double precision))) AS days_p25,
            min(survival.days) FILTER (WHERE (survival.is_observed AND (survival.share < ((0.5 + 0.000000001))::double precision))) AS days_p50,
            min(survival.days) FILTER (WHERE (survival.is_observed AND (survival.share < ((0.25 + 0.000000001))::double precision))) AS days_p75,
            (COALESCE(sum(survival.ended_removed), (0)::numeric))::bigint AS ended_removed,
            (COALESCE(sum(survival.ended_configured), (0)::numeric))::bigint AS ended_configured,
            (COALESCE(sum(survival.ended_reinstalled), (0)::numeric))::bigint AS ended_reinstalled,
            (COALESCE(sum(survival.ended_upgrade_loss), (0)::numeric))::bigint AS ended_upgrade_loss
           FROM ( SELECT at_risk.surface,
                    at_risk.kind,
                    at_risk.cohort_week,
                    at_risk.placements,
                    at_risk.days,
                    at_risk.ended,
                    at_risk.out_of_sight,
                    at_risk.ended_removed,
                    at_risk.ended_configured,
                    at_risk.ended_reinstalled,
                    at_risk.ended_upgrade_loss,
                    at_risk.devices,
                    ((at_risk.days +
                        CASE
                            WHEN (at_risk.days >= 28) THEN 6
                            ELSE 0
                        END) <= ((( SELECT max(closed_day.day) AS max
                           FROM census.closed_day
                          WHERE ((closed_day.app_number = app.app_number) AND (EXTRACT(isodow FROM closed_day.day) = (7)::numeric))) - at_risk.cohort_week) - 6)) AS is_observed,
                    exp(sum(ln(GREATEST(((1)::double precision - ((at_risk.ended)::double precision / (NULLIF(at_risk.devices, (0)::numeric))::double precision)), (0.000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001)::double precision))) OVER so_far) AS share
                   FROM ( SELECT placed.surface,
                            placed.kind,
                            placed.cohort_week,
                            placed.placements,
                            gone.days,
                            gone.ended,
                            gone.out_of_sight,
                            gone.ended_removed,
                            gone.ended_configured,
                            gone.ended_reinstalled,
                            gone.ended_upgrade_loss,
                            ((placed.placements)::numeric - COALESCE(sum((gone.ended + gone.out_of_sight)) OVER earlier, (0)::numeric)) AS devices
                           FROM (( SELECT cohort_day.surface,
                                    cohort_day.kind,
                                    cohort_day.week AS cohort_week,
                                    (sum(cohort_day.devices_placed))::bigint AS placements
                                   FROM census.cohort_day
                                  WHERE (cohort_day.app_number = app.app_number)
                                  GROUP BY cohort_day.surface, cohort_day.kind, cohort_day.week
                                 HAVING (sum(cohort_day.devices_placed) > (0)::numeric)) placed
                             LEFT JOIN ( SELECT lifetime_day.surface,
                                    lifetime_day.kind,
                                    lifetime_day.week,
                                    (lifetime_day.days)::integer AS days,
                                    (COALESCE(sum(lifetime_day.devices) FILTER (WHERE (lifetime_day.cause <> ALL (ARRAY['silent'::text, 'forgotten'::text]))), (0)::numeric))::bigint AS ended,
                                    (COALESCE(sum(lifetime_day.devices) FILTER (WHERE (lifetime_day.cause = ANY (ARRAY['silent'::text, 'forgotten'::text]))), (0)::numeric))::bigint AS out_of_sight,
                                    sum(lifetime_day.devices) FILTER (WHERE (lifetime_day.cause = 'removed'::text)) AS ended_removed,
                                    sum(lifetime_day.devices) FILTER (WHERE (lifetime_day.cause = 'configured'::text)) AS ended_configured,
                                    sum(lifetime_day.devices) FILTER (WHERE (lifetime_day.cause = 'reinstalled'::text)) AS ended_reinstalled,
                                    sum(lifetime_day.devices) FILTER (WHERE (lifetime_day.cause = 'upgrade_loss'::text)) AS ended_upgrade_loss
                                   FROM census.lifetime_day
                                  WHERE (lifetime_day.app_number = app.app_number)
                                  GROUP BY lifetime_day.surface, lifetime_day.kind, lifetime_day.week, lifetime_day.days) gone ON (((gone.surface = placed.surface) AND (gone.kind = placed.kind) AND (gone.week = placed.cohort_week))))
                          WINDOW earlier AS (PARTITION BY placed.surface, placed.kind, placed.cohort_week ORDER BY gone.days ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) at_risk
                  WINDOW so_far AS (PARTITION BY at_risk.surface, at_risk.kind, at_risk.cohort_week ORDER BY at_risk.days)) survival
          GROUP BY survival.surface, survival.kind, survival.cohort_week, survival.placements) cohort);
COMMENT ON VIEW report.lifetimes IS 'How long devices that placed a kind in one week keep it, and why they no longer have it.';
COMMENT ON COLUMN report.lifetimes.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.lifetimes.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.lifetimes.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.lifetimes.cohort_week IS 'Monday of the week in which the devices first placed the kind, in the app''s time zone.';
COMMENT ON COLUMN report.lifetimes.placements IS 'Devices in the cohort, each with its first time with the kind.';
COMMENT ON COLUMN report.lifetimes.ended IS 'Of these, no longer had it at some time, neither certainly nor possibly.';
COMMENT ON COLUMN report.lifetimes.still_there IS 'Of these, have had it ever since, certainly or possibly.';
COMMENT ON COLUMN report.lifetimes.out_of_sight IS 'Of these, fell silent or were forgotten while they had it.';
COMMENT ON COLUMN report.lifetimes.days_p25 IS 'Days after which a quarter no longer had it; null: not reached yet.';
COMMENT ON COLUMN report.lifetimes.days_p50 IS 'Days after which half no longer had it; null: not reached yet.';
COMMENT ON COLUMN report.lifetimes.days_p75 IS 'Days after which three quarters no longer had it; null: not reached yet.';
COMMENT ON COLUMN report.lifetimes.ended_removed IS 'Ended because people removed it, or it was a suspect that proved to be gone.';
COMMENT ON COLUMN report.lifetimes.ended_configured IS 'Ended with a change of its settings that left nothing of the kind; rare.';
COMMENT ON COLUMN report.lifetimes.ended_reinstalled IS 'Ended because the app was deleted and installed again.';
COMMENT ON COLUMN report.lifetimes.ended_upgrade_loss IS 'Ended because an app update took it away.';
CREATE VIEW report.live_installs AS
 SELECT app.app_id,
    install_day.day,
    install_day.surface,
    install_day.kind,
    NULLIF(install_day.family, ''::text) AS family,
    install_day.app_version,
    NULLIF(install_day.os_version, ''::text) AS os_version,
    install_day.platform,
    install_day.devices_certain,
    install_day.devices_possible,
    install_day.widgets_certain,
    install_day.widgets_possible,
    install_day.widgets_reported
   FROM (census.app
     JOIN census.install_day ON ((install_day.app_number = app.app_number)));
COMMENT ON VIEW report.live_installs IS 'How many devices had each widget kind at the end of each day, by family, app version, OS version and platform.';
COMMENT ON COLUMN report.live_installs.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.live_installs.day IS 'Day at whose end we counted, in the app''s time zone.';
COMMENT ON COLUMN report.live_installs.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.live_installs.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.live_installs.family IS 'systemSmall and so on; null if the app does not send it.';
COMMENT ON COLUMN report.live_installs.app_version IS 'App version on the device when the day ended.';
COMMENT ON COLUMN report.live_installs.os_version IS 'OS version, major and minor; null if not sent.';
COMMENT ON COLUMN report.live_installs.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN report.live_installs.devices_certain IS 'At least this many devices had such a widget (lower bound).';
COMMENT ON COLUMN report.live_installs.devices_possible IS 'At most this many devices had such a widget (upper bound).';
COMMENT ON COLUMN report.live_installs.widgets_certain IS 'Certain placements.';
COMMENT ON COLUMN report.live_installs.widgets_possible IS 'Certain or possible placements.';
COMMENT ON COLUMN report.live_installs.widgets_reported IS 'Placements that the OS listed: the naive number.';
CREATE VIEW report.live_kinds AS
 SELECT app.app_id,
    counted.day,
    counted.surface,
    counted.kind,
    counted.devices_certain,
    counted.devices_possible,
    counted.devices_expected,
    counted.widgets_certain,
    counted.widgets_possible,
    counted.widgets_reported,
    counted.devices_certain_first_known,
    counted.devices_possible_first_known,
    counted.devices_reported
   FROM (census.app
     CROSS JOIN LATERAL ( SELECT part.day,
            part.surface,
            part.kind,
            (sum(part.devices_certain))::bigint AS devices_certain,
            (sum(part.devices_possible))::bigint AS devices_possible,
            round(sum(part.devices_expected), 1) AS devices_expected,
            (sum(part.widgets_certain))::bigint AS widgets_certain,
            (sum(part.widgets_possible))::bigint AS widgets_possible,
            (sum(part.widgets_reported))::bigint AS widgets_reported,
            (sum(part.devices_certain_first_known))::bigint AS devices_certain_first_known,
            (sum(part.devices_possible_first_known))::bigint AS devices_possible_first_known,
            (sum(part.devices_reported))::bigint AS devices_reported
           FROM ( SELECT kind_day.day,
                    kind_day.surface,
                    kind_day.kind,
                    kind_day.devices_certain,
                    kind_day.devices_possible,
                    ((kind_day.devices_certain + kind_day.devices_still_there))::numeric AS devices_expected,
                    kind_day.widgets_certain,
                    kind_day.widgets_possible,
                    kind_day.widgets_reported,
                    kind_day.devices_certain_first_known,
                    kind_day.devices_possible_first_known,
                    kind_day.devices_reported
                   FROM census.kind_day
                  WHERE ((kind_day.app_number = app.app_number) AND ((kind_day.devices_possible <> 0) OR (kind_day.widgets_reported <> 0) OR (kind_day.devices_possible_first_known <> 0)))
                UNION ALL
                 SELECT unsettled.day,
                    unsettled.surface,
                    unsettled.kind,
                    0,
                    0,
                    ((unsettled.devices)::numeric * COALESCE(known.share, 0.5)),
                    0,
                    0,
                    0,
                    0,
                    0,
                    0
                   FROM (census.kind_day_unsettled unsettled
                     LEFT JOIN ( SELECT suspect_share.platform,
                            suspect_share.os_version,
                            suspect_share.claim_rule,
                            suspect_share.share
                           FROM census.suspect_share
                          WHERE (suspect_share.app_number = app.app_number)) known ON (((known.platform = unsettled.platform) AND (known.os_version = unsettled.os_version) AND (known.claim_rule = unsettled.claim_rule))))
                  WHERE (unsettled.app_number = app.app_number)) part
          GROUP BY part.day, part.surface, part.kind) counted);
COMMENT ON VIEW report.live_kinds IS 'How many devices had each widget kind at the end of each day.';
COMMENT ON COLUMN report.live_kinds.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.live_kinds.day IS 'Day at whose end we counted, in the app''s time zone.';
COMMENT ON COLUMN report.live_kinds.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.live_kinds.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.live_kinds.devices_certain IS 'At least this many devices had it (lower bound).';
COMMENT ON COLUMN report.live_kinds.devices_possible IS 'At most this many devices had it (upper bound).';
COMMENT ON COLUMN report.live_kinds.devices_expected IS 'Best estimate between the bounds: suspects count by their outcome if it is known, else by the share for their OS version, else by one half.';
COMMENT ON COLUMN report.live_kinds.widgets_certain IS 'Certain placements.';
COMMENT ON COLUMN report.live_kinds.widgets_possible IS 'Certain or possible placements.';
COMMENT ON COLUMN report.live_kinds.widgets_reported IS 'Placements that the OS listed: the naive number.';
COMMENT ON COLUMN report.live_kinds.devices_certain_first_known IS 'devices_certain as it was when the day was first closed.';
COMMENT ON COLUMN report.live_kinds.devices_possible_first_known IS 'devices_possible as it was when the day was first closed.';
COMMENT ON COLUMN report.live_kinds.devices_reported IS 'Devices whose OS listed it: the naive number of devices.';
CREATE VIEW report.live_now AS
 SELECT app.app_id,
    counted.surface,
    counted.kind,
    counted.devices_certain,
    counted.devices_possible,
    counted.devices_expected,
    counted.widgets_certain,
    counted.widgets_possible,
    counted.widgets_reported,
    reconciled.as_of
   FROM ((census.app
     CROSS JOIN LATERAL ( SELECT part.surface,
            part.kind,
            (sum(part.devices_certain))::bigint AS devices_certain,
            (sum(part.devices_possible))::bigint AS devices_possible,
            round(sum(part.devices_expected), 1) AS devices_expected,
            (sum(part.widgets_certain))::bigint AS widgets_certain,
            (sum(part.widgets_possible))::bigint AS widgets_possible,
            (sum(part.widgets_reported))::bigint AS widgets_reported
           FROM ( SELECT kind_day.surface,
                    kind_day.kind,
                    kind_day.devices_certain,
                    kind_day.devices_possible,
                    ((kind_day.devices_certain + kind_day.devices_still_there))::numeric AS devices_expected,
                    kind_day.widgets_certain,
                    kind_day.widgets_possible,
                    kind_day.widgets_reported
                   FROM census.kind_day
                  WHERE ((kind_day.app_number = app.app_number) AND (kind_day.day = ( SELECT max(closed_day.day) AS max
                           FROM census.closed_day
                          WHERE (closed_day.app_number = app.app_number))))
                UNION ALL
                 SELECT kind_entry.surface,
                    kind_entry.kind,
                    (sum(kind_entry.devices_certain))::bigint AS sum,
                    (sum(kind_entry.devices_possible))::bigint AS sum,
                    sum((kind_entry.devices_certain + kind_entry.devices_still_there)) AS sum,
                    (sum(kind_entry.widgets_certain))::bigint AS sum,
                    (sum(kind_entry.widgets_possible))::bigint AS sum,
                    (sum(kind_entry.widgets_reported))::bigint AS sum
                   FROM census.kind_entry
                  WHERE ((kind_entry.app_number = app.app_number) AND (kind_entry.day <= ((now() AT TIME ZONE app.zone))::date))
                  GROUP BY kind_entry.surface, kind_entry.kind
                UNION ALL
                 SELECT unsettled.surface,
                    unsettled.kind,
                    0,
                    0,
                    ((unsettled.devices)::numeric * COALESCE(known.share, 0.5)),
                    0,
                    0,
                    0
                   FROM (( SELECT kind_day_unsettled.surface,
                            kind_day_unsettled.kind,
                            kind_day_unsettled.platform,
                            kind_day_unsettled.os_version,
                            kind_day_unsettled.claim_rule,
                            kind_day_unsettled.devices
                           FROM census.kind_day_unsettled
                          WHERE ((kind_day_unsettled.app_number = app.app_number) AND (kind_day_unsettled.day = ( SELECT max(closed_day.day) AS max
                                   FROM census.closed_day
                                  WHERE (closed_day.app_number = app.app_number))))
                        UNION ALL
                         SELECT kind_unsettled_entry.surface,
                            kind_unsettled_entry.kind,
                            kind_unsettled_entry.platform,
                            kind_unsettled_entry.os_version,
                            kind_unsettled_entry.claim_rule,
                            (sum(kind_unsettled_entry.devices))::bigint AS sum
                           FROM census.kind_unsettled_entry
                          WHERE ((kind_unsettled_entry.app_number = app.app_number) AND (kind_unsettled_entry.day <= ((now() AT TIME ZONE app.zone))::date))
                          GROUP BY kind_unsettled_entry.surface, kind_unsettled_entry.kind, kind_unsettled_entry.platform, kind_unsettled_entry.os_version, kind_unsettled_entry.claim_rule) unsettled
                     LEFT JOIN ( SELECT suspect_share.platform,
                            suspect_share.os_version,
                            suspect_share.claim_rule,
                            suspect_share.share
                           FROM census.suspect_share
                          WHERE (suspect_share.app_number = app.app_number)) known ON (((known.platform = unsettled.platform) AND (known.os_version = unsettled.os_version) AND (known.claim_rule = unsettled.claim_rule))))) part
          GROUP BY part.surface, part.kind) counted)
     LEFT JOIN census.reconciled ON ((reconciled.app_number = app.app_number)))
  WHERE ((counted.devices_possible <> 0) OR (counted.widgets_reported <> 0));
COMMENT ON VIEW report.live_now IS 'How many devices have each widget kind now, as of the last reconciled event.';
COMMENT ON COLUMN report.live_now.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.live_now.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.live_now.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.live_now.devices_certain IS 'At least this many devices have it (lower bound).';
COMMENT ON COLUMN report.live_now.devices_possible IS 'At most this many devices have it (upper bound).';
COMMENT ON COLUMN report.live_now.devices_expected IS 'Best estimate between the bounds, as in live_kinds; the shares are those of the last night.';
COMMENT ON COLUMN report.live_now.widgets_certain IS 'Certain placements.';
COMMENT ON COLUMN report.live_now.widgets_possible IS 'Certain or possible placements.';
COMMENT ON COLUMN report.live_now.widgets_reported IS 'Placements that the OS lists: the naive number.';
COMMENT ON COLUMN report.live_now.as_of IS 'Time of the app''s last reconciled event.';
CREATE VIEW report.mass_losses AS
 SELECT app.app_id,
    watched.surface,
    watched.kind,
    watched.from_version,
    watched.to_version,
    watched.upgraders,
    watched.lost,
    round(((watched.lost)::numeric / (NULLIF(watched.upgraders, 0))::numeric), 6) AS loss_rate,
        CASE
            WHEN ((watched.others_seconds)::numeric >= (0.05 * (watched.exposed_seconds)::numeric)) THEN round(LEAST((1)::numeric, ((((watched.others_lost)::numeric / (NULLIF(watched.others_seconds, 0))::numeric) * (watched.exposed_seconds)::numeric) / (NULLIF(watched.upgraders, 0))::numeric)), 6)
            ELSE NULL::numeric
        END AS ordinary_rate,
    round((watched.z)::numeric, 2) AS z,
    (to_char(watched.evidence, '9.999EEEE'::text))::double precision AS evidence,
    watched.devices_at_risk,
    watched.state,
    watched.opened_on
   FROM (( SELECT loss_watch.app_number,
            loss_watch.surface,
            loss_watch.kind,
            NULL::text AS from_version,
            loss_watch.to_version,
            loss_watch.upgraders,
            loss_watch.lost,
            loss_watch.exposed_seconds,
            loss_watch.others_lost,
            loss_watch.others_seconds,
            loss_watch.z,
            loss_watch.evidence,
            loss_watch.devices_at_risk,
            loss_watch.state,
            loss_watch.opened_on
           FROM census.loss_watch
          WHERE (loss_watch.judged_on IS NOT NULL)
        UNION ALL
         SELECT loss_origin.app_number,
            loss_origin.surface,
            loss_origin.kind,
            loss_origin.from_version,
            loss_origin.to_version,
            loss_origin.upgraders,
            loss_origin.lost,
            loss_origin.exposed_seconds,
            loss_origin.others_lost,
            loss_origin.others_seconds,
            loss_origin.z,
            loss_origin.evidence,
            loss_origin.devices_at_risk,
            loss_watch.state,
            loss_watch.opened_on
           FROM (census.loss_origin
             JOIN census.loss_watch ON (((loss_watch.app_number = loss_origin.app_number) AND (loss_watch.surface = loss_origin.surface) AND (loss_watch.kind = loss_origin.kind) AND (loss_watch.to_version = loss_origin.to_version))))) watched
     JOIN census.app ON ((app.app_number = watched.app_number)));
COMMENT ON VIEW report.mass_losses IS 'Whether app updates take a kind away, for each version that devices updated to, and from.';
COMMENT ON COLUMN report.mass_losses.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.mass_losses.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.mass_losses.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.mass_losses.from_version IS 'App version before the update; null: any.';
COMMENT ON COLUMN report.mass_losses.to_version IS 'App version after the update.';
COMMENT ON COLUMN report.mass_losses.upgraders IS 'Devices that had the kind for certain, updated and reported again.';
COMMENT ON COLUMN report.mass_losses.lost IS 'Of these, devices whose next report no longer listed it.';
COMMENT ON COLUMN report.mass_losses.loss_rate IS 'lost / upgraders.';
COMMENT ON COLUMN report.mass_losses.ordinary_rate IS 'Share that would have lost it in that time without the update, estimated from devices that did not update on the same nights; null: too few of those.';
COMMENT ON COLUMN report.mass_losses.z IS 'Standard deviations between lost and the number expected from the others'' rate; null: neither group lost any, or there are no others.';
COMMENT ON COLUMN report.mass_losses.evidence IS 'Evidence for a loss: an e-value, starting at 1. An incident opens at 2 / (its share of the false-alarm budget).';
COMMENT ON COLUMN report.mass_losses.devices_at_risk IS 'Devices that still had the kind for certain on the previous version; with from_version null, on any older version.';
COMMENT ON COLUMN report.mass_losses.state IS 'State of the incident: watched (none), open, acknowledged or closed.';
COMMENT ON COLUMN report.mass_losses.opened_on IS 'Day whose pairs sufficed to open an incident; null: none was opened.';
CREATE VIEW report.os_quirks AS
 SELECT app.app_id,
    settled.platform,
    settled.os_version,
    (settled.suspects)::bigint AS suspects_settled,
    (settled.gone)::bigint AS gone,
    ((settled.suspects - settled.gone))::bigint AS still_there,
    round(((settled.gone / settled.suspects))::numeric, 4) AS gone_share,
    round((GREATEST((0)::double precision, (((settled.gone + (1.9208)::double precision) - ((1.96)::double precision * sqrt((((settled.gone * (settled.suspects - settled.gone)) / settled.suspects) + (0.9604)::double precision)))) / (settled.suspects + (3.8416)::double precision))))::numeric, 4) AS low,
    round((LEAST((1)::double precision, (((settled.gone + (1.9208)::double precision) + ((1.96)::double precision * sqrt((((settled.gone * (settled.suspects - settled.gone)) / settled.suspects) + (0.9604)::double precision)))) / (settled.suspects + (3.8416)::double precision))))::numeric, 4) AS high,
    round((((1)::double precision - exp((- COALESCE(settled.removals_expected, (0)::double precision)))))::numeric, 4) AS ordinary_removal_share
   FROM (((census.app
     CROSS JOIN LATERAL ( SELECT (sum(change_day.widgets_removed))::double precision AS widgets
           FROM census.change_day
          WHERE ((change_day.app_number = app.app_number) AND (change_day.cause = 'removed'::text))) removed)
     CROSS JOIN LATERAL ( SELECT ((sum(kind_day.widgets_certain))::double precision * (86400)::double precision) AS widget_seconds
           FROM census.kind_day
          WHERE (kind_day.app_number = app.app_number)) held)
     CROSS JOIN LATERAL ( SELECT outcome_day.platform,
            outcome_day.os_version,
            (sum(outcome_day.suspects_settled))::double precision AS suspects,
            (sum((outcome_day.suspects_settled - outcome_day.suspects_still_there)))::double precision AS gone,
            (((removed.widgets / NULLIF(held.widget_seconds, (0)::double precision)) * (sum(outcome_day.suspect_seconds))::double precision) / (NULLIF(sum(outcome_day.suspects_settled), (0)::numeric))::double precision) AS removals_expected
           FROM census.outcome_day
          WHERE ((outcome_day.app_number = app.app_number) AND (outcome_day.claim_rule = 'reinstall'::text))
          GROUP BY outcome_day.platform, outcome_day.os_version
         HAVING (sum(outcome_day.suspects_settled) > (0)::numeric)) settled);
COMMENT ON VIEW report.os_quirks IS 'Which OS versions keep listing widgets that are gone after a reinstall.';
COMMENT ON COLUMN report.os_quirks.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.os_quirks.platform IS 'Platform that first listed the suspects.';
COMMENT ON COLUMN report.os_quirks.os_version IS 'OS version that first listed the suspects, major and minor; empty if unknown.';
COMMENT ON COLUMN report.os_quirks.suspects_settled IS 'Suspects on known devices (rule R4) whose outcome is known.';
COMMENT ON COLUMN report.os_quirks.gone IS 'Of these, no longer listed after a boot.';
COMMENT ON COLUMN report.os_quirks.still_there IS 'Of these, still listed after a boot, or used before one.';
COMMENT ON COLUMN report.os_quirks.gone_share IS 'gone / suspects_settled.';
COMMENT ON COLUMN report.os_quirks.low IS 'Lower end of the 95% interval of gone_share (Wilson score).';
COMMENT ON COLUMN report.os_quirks.high IS 'Upper end of the 95% interval of gone_share (Wilson score).';
COMMENT ON COLUMN report.os_quirks.ordinary_removal_share IS 'Share that people would have removed anyway: 1 - exp(-rate * time suspect), where rate is the removals of certain widgets per widget and second.';
CREATE VIEW report.overlap AS
 SELECT app.app_id,
    pair.day,
    pair.surface,
    pair.kind,
    pair.other_kind,
    pair.devices AS devices_with_both,
    pair.devices_with_kind
   FROM (census.app
     JOIN census.kind_pair pair ON ((pair.app_number = app.app_number)))
  WHERE (((app.app_number, pair.surface, pair.kind) IN ( SELECT kind_act.app_number,
            kind_act.surface,
            kind_act.kind
           FROM census.kind_act
          WHERE (kind_act.lifecycle <> 'active'::text))) OR ((app.app_number, pair.surface, pair.other_kind) IN ( SELECT kind_act.app_number,
            kind_act.surface,
            kind_act.kind
           FROM census.kind_act
          WHERE (kind_act.lifecycle <> 'active'::text))));
COMMENT ON VIEW report.overlap IS 'How many devices with a legacy kind also have another kind, day by day.';
COMMENT ON COLUMN report.overlap.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.overlap.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN report.overlap.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.overlap.kind IS 'One kind of the pair; at least one of the two is, or was, marked legacy.';
COMMENT ON COLUMN report.overlap.other_kind IS 'The other kind, on the same surface.';
COMMENT ON COLUMN report.overlap.devices_with_both IS 'Devices that certainly had both when the day ended.';
COMMENT ON COLUMN report.overlap.devices_with_kind IS 'Devices that certainly had kind, as in live_kinds.';
CREATE VIEW report.pairs AS
 SELECT app.app_id,
    ranked.day,
    ranked.surface,
    ranked.kind,
    ranked.other_kind,
    ranked.devices AS devices_with_both,
    ranked.devices_with_kind
   FROM (census.app
     CROSS JOIN LATERAL ( SELECT kind_pair.day,
            kind_pair.surface,
            kind_pair.kind,
            kind_pair.other_kind,
            kind_pair.devices,
            kind_pair.devices_with_kind,
            dense_rank() OVER (PARTITION BY kind_pair.day, kind_pair.surface ORDER BY kind_pair.devices_with_kind DESC, kind_pair.kind) AS place,
            dense_rank() OVER (PARTITION BY kind_pair.day, kind_pair.surface ORDER BY kind_pair.devices_with_other DESC NULLS LAST, kind_pair.other_kind) AS other_place
           FROM census.kind_pair
          WHERE (kind_pair.app_number = app.app_number)) ranked)
  WHERE ((ranked.place <= 50) AND (ranked.other_place <= 50));
COMMENT ON VIEW report.pairs IS 'Which kinds people have side by side, day by day.';
COMMENT ON COLUMN report.pairs.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.pairs.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN report.pairs.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.pairs.kind IS 'One kind of the pair, among the 50 paired kinds of its surface that most devices had.';
COMMENT ON COLUMN report.pairs.other_kind IS 'The other kind, also among these 50.';
COMMENT ON COLUMN report.pairs.devices_with_both IS 'Devices that certainly had both when the day ended.';
COMMENT ON COLUMN report.pairs.devices_with_kind IS 'Devices that certainly had kind, as in live_kinds.';
CREATE VIEW report.refused AS
 SELECT app.app_id,
    refused.refused_on AS day,
    refused.code,
    count(*) AS events,
    min((refused.message COLLATE "C")) AS example
   FROM (census.refused
     JOIN census.app ON ((app.app_number = refused.app_number)))
  GROUP BY app.app_number, app.app_id, refused.refused_on, refused.code;
COMMENT ON VIEW report.refused IS 'How many events the server rejected, and why.';
COMMENT ON COLUMN report.refused.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.refused.day IS 'Day of receipt, in UTC.';
COMMENT ON COLUMN report.refused.code IS 'Error code that the sender got, such as too_old or invalid_widget.';
COMMENT ON COLUMN report.refused.events IS 'Rejected events; a redelivery on the same day is not counted again.';
COMMENT ON COLUMN report.refused.example IS 'Message that one of the senders got; the same one on every query.';
CREATE VIEW report.retention AS
 SELECT app.app_id,
    counted.surface,
    counted.kind,
    counted.cohort_week,
    counted.week,
    counted.devices_placed,
    counted.devices_still_certain,
    counted.devices_still_possible
   FROM (census.app
     CROSS JOIN LATERAL ( SELECT cohort.surface,
            cohort.kind,
            cohort.cohort_week,
            (((week_end.day - 6) - cohort.cohort_week) / 7) AS week,
            cohort.devices_placed,
            (sum(COALESCE(changed.devices_certain, (0)::bigint)) OVER so_far)::bigint AS devices_still_certain,
            (sum(COALESCE(changed.devices_possible, (0)::bigint)) OVER so_far)::bigint AS devices_still_possible
           FROM ((( SELECT cohort_day.surface,
                    cohort_day.kind,
                    cohort_day.week AS cohort_week,
                    (sum(cohort_day.devices_placed))::bigint AS devices_placed
                   FROM census.cohort_day
                  WHERE (cohort_day.app_number = app.app_number)
                  GROUP BY cohort_day.surface, cohort_day.kind, cohort_day.week
                 HAVING (sum(cohort_day.devices_placed) > (0)::numeric)) cohort
             JOIN census.closed_day week_end ON (((week_end.app_number = app.app_number) AND (EXTRACT(isodow FROM week_end.day) = (7)::numeric) AND (week_end.day > cohort.cohort_week))))
             LEFT JOIN census.cohort_day changed ON (((changed.app_number = app.app_number) AND (changed.surface = cohort.surface) AND (changed.kind = cohort.kind) AND (changed.week = cohort.cohort_week) AND (changed.day = week_end.day))))
          WINDOW so_far AS (PARTITION BY cohort.surface, cohort.kind, cohort.cohort_week ORDER BY week_end.day)) counted);
COMMENT ON VIEW report.retention IS 'How many of the devices that placed a kind in one week still have it, week after week.';
COMMENT ON COLUMN report.retention.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.retention.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.retention.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.retention.cohort_week IS 'Monday of the week in which the devices first placed the kind, in the app''s time zone.';
COMMENT ON COLUMN report.retention.week IS 'Weeks since the cohort week: 0 is the end of that week itself.';
COMMENT ON COLUMN report.retention.devices_placed IS 'Devices in the cohort; the same in every week.';
COMMENT ON COLUMN report.retention.devices_still_certain IS 'Of these, at least this many had the kind when the week ended.';
COMMENT ON COLUMN report.retention.devices_still_possible IS 'Of these, at most this many had it.';
CREATE VIEW report.retirement AS
 SELECT app.app_id,
    act.surface,
    act.kind,
        CASE
            WHEN ((act.lifecycle = 'legacy'::text) AND (judged.verdict = 'ready'::text)) THEN 'retire_ready'::text
            ELSE act.lifecycle
        END AS lifecycle,
    newest.devices_certain,
    newest.devices_possible,
    round((newest.devices_expected)::numeric, 1) AS devices_expected,
    newest.devices_silent,
    newest.devices_with_replacement,
    newest.limit_devices,
    newest.half_life_days,
    newest.half_life_low,
    newest.half_life_high,
    newest.ready_on,
    newest.ready_on_earliest,
    newest.ready_on_latest,
    judged.verdict,
    judged.reason
   FROM ((((census.kind_state act
     JOIN census.app ON ((app.app_number = act.app_number)))
     LEFT JOIN LATERAL ( SELECT readiness.app_number,
            readiness.day,
            readiness.surface,
            readiness.kind,
            readiness.decided_at,
            readiness.lifecycle,
            readiness.devices_certain,
            readiness.devices_possible,
            readiness.devices_expected,
            readiness.devices_silent,
            readiness.devices_active,
            readiness.devices_reporting,
            readiness.devices_with_replacement,
            readiness.limit_devices,
            readiness.half_life_days,
            readiness.half_life_low,
            readiness.half_life_high,
            readiness.ready_on,
            readiness.ready_on_earliest,
            readiness.ready_on_latest,
            readiness.forecast,
            readiness.verdict,
            readiness.reason,
            readiness.figures
           FROM census.readiness
          WHERE ((readiness.app_number = act.app_number) AND (readiness.surface = act.surface) AND (readiness.kind = act.kind))
          ORDER BY readiness.day DESC
         LIMIT 1) newest ON (true))
     CROSS JOIN LATERAL ( SELECT (((now() AT TIME ZONE app.zone))::date - 1) AS last_ended) today)
     CROSS JOIN LATERAL ( SELECT
                CASE
                    WHEN (act.lifecycle = 'retired'::text) THEN 'retired'::text
                    WHEN ((newest.day IS NULL) OR (newest.day < today.last_ended)) THEN 'unknown'::text
                    ELSE newest.verdict
                END AS verdict,
                CASE
                    WHEN (act.lifecycle = 'retired'::text) THEN 'A person retired it.'::text
                    WHEN (newest.day IS NULL) THEN 'It has no verdict yet; run `widget-census nightly`.'::text
                    WHEN (newest.day < today.last_ended) THEN format('The last verdict is from %s, but later days have ended; run `widget-census nightly`.'::text, newest.day)
                    ELSE newest.reason
                END AS reason) judged)
  WHERE (act.lifecycle <> 'active'::text);
COMMENT ON VIEW report.retirement IS 'Whether a legacy kind can be dropped, and each condition with its figure and its limit.';
COMMENT ON COLUMN report.retirement.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.retirement.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.retirement.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.retirement.lifecycle IS 'legacy, retire_ready (computed) or retired.';
COMMENT ON COLUMN report.retirement.devices_certain IS 'At least this many active devices have it (lower bound).';
COMMENT ON COLUMN report.retirement.devices_possible IS 'At most this many active devices have it (upper bound).';
COMMENT ON COLUMN report.retirement.devices_expected IS 'Best estimate between the bounds.';
COMMENT ON COLUMN report.retirement.devices_silent IS 'Devices that went silent with it at most a year ago.';
COMMENT ON COLUMN report.retirement.devices_with_replacement IS 'Possible holders that certainly have the replacement; null: none was named.';
COMMENT ON COLUMN report.retirement.limit_devices IS 'Limit for devices_possible + devices_silent: the app''s device limit, or its share of the active devices (but no fewer than 3) if that is smaller.';
COMMENT ON COLUMN report.retirement.half_life_days IS 'Days until half of the active holders have lost it or fallen silent, at the rate of the last weeks; null: cannot be estimated.';
COMMENT ON COLUMN report.retirement.half_life_low IS 'Lower end of its 80% interval.';
COMMENT ON COLUMN report.retirement.half_life_high IS 'Upper end of its 80% interval; null: open-ended.';
COMMENT ON COLUMN report.retirement.ready_on IS 'Day at whose end it will be ready at this rate; null: never, or cannot be estimated.';
COMMENT ON COLUMN report.retirement.ready_on_earliest IS 'Earliest day of the 80% interval.';
COMMENT ON COLUMN report.retirement.ready_on_latest IS 'Latest day of the 80% interval; null: open-ended.';
COMMENT ON COLUMN report.retirement.verdict IS 'ready, not ready, unknown or retired.';
COMMENT ON COLUMN report.retirement.reason IS 'Every condition that fails, with its figure and its limit; or, when it is ready, the figures that make it so.';
CREATE VIEW report.time_to_first_widget AS
 SELECT counted.app_id,
    counted.platform,
    counted.cohort_week,
    counted.outcome,
    counted.days,
    counted.devices,
    counted.devices_in_cohort
   FROM ( SELECT app.app_id,
            first_widget_day.platform,
            first_widget_day.week AS cohort_week,
            first_widget_day.outcome,
                CASE
                    WHEN (first_widget_day.outcome = 'days'::text) THEN (first_widget_day.days)::integer
                    ELSE NULL::integer
                END AS days,
            (sum(first_widget_day.devices))::bigint AS devices,
            (sum(sum(first_widget_day.devices)) OVER (PARTITION BY app.app_id, app.app_number, first_widget_day.platform, first_widget_day.week))::bigint AS devices_in_cohort
           FROM (census.app
             JOIN census.first_widget_day ON ((first_widget_day.app_number = app.app_number)))
          GROUP BY app.app_id, app.app_number, first_widget_day.platform, first_widget_day.week, first_widget_day.outcome, first_widget_day.days) counted
  WHERE (counted.devices <> 0);
COMMENT ON VIEW report.time_to_first_widget IS 'How soon devices that were first heard from in one week had a widget.';
COMMENT ON COLUMN report.time_to_first_widget.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.time_to_first_widget.platform IS 'ios, ipados, macos, watchos, visionos or android, as last heard.';
COMMENT ON COLUMN report.time_to_first_widget.cohort_week IS 'Monday of the week in which the devices were first heard from, in the app''s time zone.';
COMMENT ON COLUMN report.time_to_first_widget.outcome IS 'before: the first list already had a widget; days: within 28 days; later: after more; never: none yet.';
COMMENT ON COLUMN report.time_to_first_widget.days IS 'Where outcome is days: days from the first day heard from until they had a widget, 0 to 28.';
COMMENT ON COLUMN report.time_to_first_widget.devices IS 'Devices with this outcome by the last week that ended.';
COMMENT ON COLUMN report.time_to_first_widget.devices_in_cohort IS 'All devices of the cohort; the same in each of its rows.';
CREATE VIEW report.usage AS
 SELECT app.app_id,
    use_day.day,
    use_day.surface,
    use_day.kind,
    use_day.use AS event,
    use_day.devices,
    use_day.events
   FROM (census.app
     JOIN census.use_day ON ((use_day.app_number = app.app_number)))
  WHERE ((use_day.events > 0) AND (use_day.use <> ALL (ARRAY['installed'::text, 'removed'::text])));
COMMENT ON VIEW report.usage IS 'How often widgets of each kind were opened, configured and rendered each day, and on how many devices.';
COMMENT ON COLUMN report.usage.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.usage.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN report.usage.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.usage.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.usage.event IS 'opened, configured or rendered.';
COMMENT ON COLUMN report.usage.devices IS 'Distinct devices that sent such an event.';
COMMENT ON COLUMN report.usage.events IS 'How many such events they sent.';
CREATE VIEW report.warned AS
 SELECT app.app_id,
    warned.warned_on AS day,
    warned.code,
    warned.app_version,
    count(*) AS devices,
    min((warned.message COLLATE "C")) AS example
   FROM (census.warned
     JOIN census.app ON ((app.app_number = warned.app_number)))
  GROUP BY app.app_number, app.app_id, warned.warned_on, warned.code, warned.app_version;
COMMENT ON VIEW report.warned IS 'Which probable app mistakes the server accepted with a warning, and on how many devices, by app version.';
COMMENT ON COLUMN report.warned.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.warned.day IS 'Day of receipt, in UTC.';
COMMENT ON COLUMN report.warned.code IS 'Warning code that the sender got, such as unknown_field or os_version.';
COMMENT ON COLUMN report.warned.app_version IS 'App version that sent it.';
COMMENT ON COLUMN report.warned.devices IS 'Distinct devices, no matter how often each of them sent it.';
COMMENT ON COLUMN report.warned.example IS 'Message that one of the senders got; the same one on every query.';
CREATE VIEW report.widgets_per_device AS
 SELECT app.app_id,
    counted.day,
    counted.platform,
        CASE
            WHEN (counted.widgets <= 10) THEN (counted.widgets)::text
            ELSE '11+'::text
        END AS widgets,
    counted.devices_certain,
    counted.devices_possible
   FROM (census.app
     JOIN census.widget_count_day counted ON ((counted.app_number = app.app_number)));
COMMENT ON VIEW report.widgets_per_device IS 'How many widgets devices have, day by day.';
COMMENT ON COLUMN report.widgets_per_device.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.widgets_per_device.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN report.widgets_per_device.platform IS 'ios, ipados, macos, watchos, visionos or android.';
COMMENT ON COLUMN report.widgets_per_device.widgets IS 'Number of placements on the surfaces widget and today: 0 to 10, or 11+ for more.';
COMMENT ON COLUMN report.widgets_per_device.devices_certain IS 'Devices with this many certain placements: the distribution at its lowest.';
COMMENT ON COLUMN report.widgets_per_device.devices_possible IS 'Devices with this many certain or possible placements: the distribution at its highest.';
CREATE VIEW report.zombies AS
 SELECT app.app_id,
    counted.day,
    counted.surface,
    counted.kind,
    counted.app_version,
    counted.devices,
    counted.widgets
   FROM (census.app
     CROSS JOIN LATERAL ( SELECT version_day.day,
            version_day.surface,
            version_day.kind,
            version_day.app_version,
            (sum(version_day.devices_possible))::bigint AS devices,
            (sum(version_day.widgets_possible))::bigint AS widgets
           FROM census.version_day
          WHERE ((version_day.app_number = app.app_number) AND (EXISTS ( SELECT 1
                   FROM census.manifest
                  WHERE ((manifest.app_number = version_day.app_number) AND (manifest.app_version = version_day.app_version)))) AND (NOT (EXISTS ( SELECT 1
                   FROM census.manifest_kind
                  WHERE ((manifest_kind.app_number = version_day.app_number) AND (manifest_kind.app_version = version_day.app_version) AND (manifest_kind.surface = version_day.surface) AND (manifest_kind.kind = version_day.kind))))))
          GROUP BY version_day.day, version_day.surface, version_day.kind, version_day.app_version
         HAVING (sum(version_day.devices_possible) > (0)::numeric)) counted);
COMMENT ON VIEW report.zombies IS 'Which kinds devices still have on app versions whose manifest does not declare them, day by day.';
COMMENT ON COLUMN report.zombies.app_id IS 'Bundle id or package name.';
COMMENT ON COLUMN report.zombies.day IS 'Day in the app''s time zone.';
COMMENT ON COLUMN report.zombies.surface IS 'widget, control, live_activity or today.';
COMMENT ON COLUMN report.zombies.kind IS 'The widget''s kind.';
COMMENT ON COLUMN report.zombies.app_version IS 'App version on the devices when the day ended; its manifest does not declare the kind.';
COMMENT ON COLUMN report.zombies.devices IS 'At most this many devices had it.';
COMMENT ON COLUMN report.zombies.widgets IS 'Certain or possible placements.';
ALTER TABLE ONLY census.observation ATTACH PARTITION census.observation_other DEFAULT;
ALTER TABLE ONLY census.acknowledgement
    ADD CONSTRAINT acknowledgement_pkey PRIMARY KEY (acknowledgement_number);
ALTER TABLE ONLY census.active_day
    ADD CONSTRAINT active_day_pkey PRIMARY KEY (app_number, day, scope, surface, kind, family, platform);
ALTER TABLE ONLY census.active_entry
    ADD CONSTRAINT active_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (key_hash);
ALTER TABLE ONLY census.app
    ADD CONSTRAINT app_id_is_unique UNIQUE (app_id);
ALTER TABLE ONLY census.app_night
    ADD CONSTRAINT app_night_pkey PRIMARY KEY (app_number);
ALTER TABLE ONLY census.app
    ADD CONSTRAINT app_pkey PRIMARY KEY (app_number);
ALTER TABLE ONLY census.change_day
    ADD CONSTRAINT change_day_pkey PRIMARY KEY (app_number, day, surface, kind, family, cause);
ALTER TABLE ONLY census.change_entry
    ADD CONSTRAINT change_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.closed_day
    ADD CONSTRAINT closed_day_pkey PRIMARY KEY (app_number, day);
ALTER TABLE ONLY census.cohort_day
    ADD CONSTRAINT cohort_day_pkey PRIMARY KEY (app_number, surface, kind, week, day);
ALTER TABLE ONLY census.cohort_entry
    ADD CONSTRAINT cohort_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.deployment
    ADD CONSTRAINT deployment_pkey PRIMARY KEY (is_single);
ALTER TABLE ONLY census.device_base
    ADD CONSTRAINT device_base_pkey PRIMARY KEY (device_id);
ALTER TABLE ONLY census.device_cohort
    ADD CONSTRAINT device_cohort_pkey PRIMARY KEY (device_id, surface, kind);
ALTER TABLE ONLY census.device_day
    ADD CONSTRAINT device_day_pkey PRIMARY KEY (app_number, day, app_version, os_version, platform, gallery_policy);
ALTER TABLE ONLY census.device_entry
    ADD CONSTRAINT device_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.device
    ADD CONSTRAINT device_pkey PRIMARY KEY (device_id);
ALTER TABLE ONLY census.device_use
    ADD CONSTRAINT device_use_pkey PRIMARY KEY (device_id, month, use, surface, kind);
ALTER TABLE ONLY census.engagement_day
    ADD CONSTRAINT engagement_day_pkey PRIMARY KEY (app_number, week, has_widget, day);
ALTER TABLE ONLY census.engagement_entry
    ADD CONSTRAINT engagement_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.first_widget_day
    ADD CONSTRAINT first_widget_day_pkey PRIMARY KEY (app_number, week, platform, day, outcome, days);
ALTER TABLE ONLY census.first_widget_entry
    ADD CONSTRAINT first_widget_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.forgotten
    ADD CONSTRAINT forgotten_pkey PRIMARY KEY (device_hash);
ALTER TABLE ONLY census.holder_day
    ADD CONSTRAINT holder_day_pkey PRIMARY KEY (app_number, day, surface, kind, cause);
ALTER TABLE ONLY census.holder_entry
    ADD CONSTRAINT holder_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.install_day
    ADD CONSTRAINT install_day_pkey PRIMARY KEY (app_number, day, cell);
ALTER TABLE ONLY census.install_entry
    ADD CONSTRAINT install_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.intent_day
    ADD CONSTRAINT intent_day_pkey PRIMARY KEY (app_number, day, surface, kind, intent);
ALTER TABLE ONLY census.intent_entry
    ADD CONSTRAINT intent_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.kind_act
    ADD CONSTRAINT kind_act_pkey PRIMARY KEY (act_number);
ALTER TABLE ONLY census.kind_day
    ADD CONSTRAINT kind_day_pkey PRIMARY KEY (app_number, day, surface, kind);
ALTER TABLE ONLY census.kind_day_unsettled
    ADD CONSTRAINT kind_day_unsettled_pkey PRIMARY KEY (app_number, day, surface, kind, platform, os_version, claim_rule);
ALTER TABLE ONLY census.kind_entry
    ADD CONSTRAINT kind_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.kind_unsettled_entry
    ADD CONSTRAINT kind_unsettled_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.kinds_lock
    ADD CONSTRAINT kinds_lock_pkey PRIMARY KEY (is_single);
ALTER TABLE ONLY census.known_name
    ADD CONSTRAINT known_name_pkey PRIMARY KEY (app_number, dimension, name);
ALTER TABLE ONLY census.lifetime_day
    ADD CONSTRAINT lifetime_day_pkey PRIMARY KEY (app_number, surface, kind, week, day, days, cause);
ALTER TABLE ONLY census.lifetime_entry
    ADD CONSTRAINT lifetime_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.loss_act
    ADD CONSTRAINT loss_act_pkey PRIMARY KEY (act_number);
ALTER TABLE ONLY census.loss_detail
    ADD CONSTRAINT loss_detail_pkey PRIMARY KEY (app_number, surface, kind, to_version, detail, value);
ALTER TABLE ONLY census.loss_origin
    ADD CONSTRAINT loss_origin_pkey PRIMARY KEY (app_number, surface, kind, to_version, from_version);
ALTER TABLE ONLY census.loss_version
    ADD CONSTRAINT loss_version_pkey PRIMARY KEY (app_number, to_version);
ALTER TABLE ONLY census.loss_watch
    ADD CONSTRAINT loss_watch_pkey PRIMARY KEY (app_number, surface, kind, to_version);
ALTER TABLE ONLY census.losses_lock
    ADD CONSTRAINT losses_lock_pkey PRIMARY KEY (is_single);
ALTER TABLE ONLY census.manifest_kind
    ADD CONSTRAINT manifest_kind_pkey PRIMARY KEY (app_number, app_version, surface, kind);
ALTER TABLE ONLY census.manifest
    ADD CONSTRAINT manifest_pkey PRIMARY KEY (app_number, app_version);
ALTER TABLE ONLY census.move_day
    ADD CONSTRAINT move_day_pkey PRIMARY KEY (app_number, day, surface, kind, cause, app_version, os_version, platform);
ALTER TABLE ONLY census.move_entry
    ADD CONSTRAINT move_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.night_run
    ADD CONSTRAINT night_run_pkey PRIMARY KEY (run_number);
ALTER TABLE ONLY census.observation
    ADD CONSTRAINT observation_pkey PRIMARY KEY (device_id, event_id, occurred_at);
ALTER TABLE ONLY census.observation_other
    ADD CONSTRAINT observation_other_pkey PRIMARY KEY (device_id, event_id, occurred_at);
ALTER TABLE ONLY census.outcome_day
    ADD CONSTRAINT outcome_day_pkey PRIMARY KEY (app_number, day, platform, os_version, claim_rule);
ALTER TABLE ONLY census.outcome_entry
    ADD CONSTRAINT outcome_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.overlap_day
    ADD CONSTRAINT overlap_day_pkey PRIMARY KEY (app_number, day, surface, kind, other_kind);
ALTER TABLE ONLY census.overlap_entry
    ADD CONSTRAINT overlap_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.pair_entry
    ADD CONSTRAINT pair_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.pair_night
    ADD CONSTRAINT pair_night_pkey PRIMARY KEY (app_number, surface, kind, to_version, from_version, taken_at, day, is_other_os, gap);
ALTER TABLE ONLY census.partitions_lock
    ADD CONSTRAINT partitions_lock_pkey PRIMARY KEY (is_single);
ALTER TABLE ONLY census.pending_device
    ADD CONSTRAINT pending_device_pkey PRIMARY KEY (device_id, pending_number);
ALTER TABLE ONLY census.phase
    ADD CONSTRAINT phase_pkey PRIMARY KEY (device_id, from_at);
ALTER TABLE ONLY census.read_day
    ADD CONSTRAINT read_day_pkey PRIMARY KEY (app_number, day);
ALTER TABLE ONLY census.read_entry
    ADD CONSTRAINT read_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.read_quarter
    ADD CONSTRAINT read_quarter_pkey PRIMARY KEY (app_number, quarter_at, is_of_day) INCLUDE (reads, reads_failed);
ALTER TABLE ONLY census.readiness
    ADD CONSTRAINT readiness_pkey PRIMARY KEY (app_number, surface, kind, day);
ALTER TABLE ONLY census.reconciled
    ADD CONSTRAINT reconciled_pkey PRIMARY KEY (app_number);
ALTER TABLE ONLY census.refused
    ADD CONSTRAINT refused_pkey PRIMARY KEY (device_id, refused_on, digest);
ALTER TABLE ONLY census.retention
    ADD CONSTRAINT retention_pkey PRIMARY KEY (is_single);
ALTER TABLE ONLY census.set_aside
    ADD CONSTRAINT set_aside_pkey PRIMARY KEY (device_id);
ALTER TABLE ONLY census.setting_act
    ADD CONSTRAINT setting_act_pkey PRIMARY KEY (act_number);
ALTER TABLE ONLY census.settings_lock
    ADD CONSTRAINT settings_lock_pkey PRIMARY KEY (is_single);
ALTER TABLE ONLY census.span
    ADD CONSTRAINT span_pkey PRIMARY KEY (device_id, ordinal);
ALTER TABLE ONLY census.use_day
    ADD CONSTRAINT use_day_pkey PRIMARY KEY (app_number, day, surface, kind, use);
ALTER TABLE ONLY census.use_entry
    ADD CONSTRAINT use_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.version_day
    ADD CONSTRAINT version_day_pkey PRIMARY KEY (app_number, day, surface, kind, app_version, os_version, platform);
ALTER TABLE ONLY census.version_entry
    ADD CONSTRAINT version_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census.warned
    ADD CONSTRAINT warned_pkey PRIMARY KEY (device_id, warned_on, code);
ALTER TABLE ONLY census.webhook_delivery
    ADD CONSTRAINT webhook_delivery_pkey PRIMARY KEY (webhook_number, message_id);
ALTER TABLE ONLY census.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (webhook_number);
ALTER TABLE ONLY census.widget_count_day
    ADD CONSTRAINT widget_count_day_pkey PRIMARY KEY (app_number, day, platform, widgets);
ALTER TABLE ONLY census.widget_count_entry
    ADD CONSTRAINT widget_count_entry_pkey PRIMARY KEY (entry_number);
ALTER TABLE ONLY census_schema.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (version);
CREATE INDEX acknowledgement_app ON census.acknowledgement USING btree (app_number);
CREATE INDEX device_due ON census.device USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX device_uncounted ON census.device USING btree (app_number) WHERE (zone IS NULL);
CREATE INDEX forgotten_unfinished ON census.forgotten USING btree (forgotten_at) WHERE (erasing_device_id IS NOT NULL);
CREATE INDEX kind_act_of_kind ON census.kind_act USING btree (app_number, surface, kind, act_number);
CREATE INDEX loss_act_watch ON census.loss_act USING btree (app_number, surface, kind, to_version);
CREATE INDEX loss_detail_day ON census.loss_detail USING btree (app_number, last_day);
CREATE INDEX loss_watch_open ON census.loss_watch USING btree (app_number) WHERE (state <> 'watched'::text);
CREATE INDEX observation_ahead ON ONLY census.observation USING btree (corrected_at) WHERE (corrected_at < occurred_at);
CREATE INDEX observation_other_corrected_at_idx ON census.observation_other USING btree (corrected_at) WHERE (corrected_at < occurred_at);
CREATE INDEX pair_entry_app ON census.pair_entry USING btree (app_number, day);
CREATE INDEX pair_night_day ON census.pair_night USING btree (app_number, day);
CREATE INDEX pair_night_ordinary ON census.pair_night USING btree (app_number, surface, kind, day) WHERE (from_version = to_version);
CREATE INDEX pair_night_taken ON census.pair_night USING btree (app_number, taken_at);
CREATE INDEX refused_app ON census.refused USING btree (app_number, refused_on, code, message);
CREATE INDEX setting_act_app ON census.setting_act USING btree (app_number, act_number);
CREATE INDEX span_live ON census.span USING btree (app_number, surface, kind) WHERE (to_at IS NULL);
CREATE INDEX warned_app ON census.warned USING btree (app_number, warned_on, code, app_version);
CREATE INDEX webhook_app ON census.webhook USING btree (app_number);
CREATE INDEX webhook_delivery_due ON census.webhook_delivery USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
ALTER INDEX census.observation_ahead ATTACH PARTITION census.observation_other_corrected_at_idx;
ALTER INDEX census.observation_pkey ATTACH PARTITION census.observation_other_pkey;
ALTER TABLE ONLY census.acknowledgement
    ADD CONSTRAINT acknowledgement_app_number_fkey FOREIGN KEY (app_number) REFERENCES census.app(app_number);
ALTER TABLE ONLY census.api_key
    ADD CONSTRAINT api_key_app_number_fkey FOREIGN KEY (app_number) REFERENCES census.app(app_number);
ALTER TABLE ONLY census.kind_act
    ADD CONSTRAINT kind_act_app_number_fkey FOREIGN KEY (app_number) REFERENCES census.app(app_number);
ALTER TABLE ONLY census.known_name
    ADD CONSTRAINT known_name_app_number_fkey FOREIGN KEY (app_number) REFERENCES census.app(app_number);
ALTER TABLE ONLY census.loss_act
    ADD CONSTRAINT loss_act_app_number_surface_kind_to_version_fkey FOREIGN KEY (app_number, surface, kind, to_version) REFERENCES census.loss_watch(app_number, surface, kind, to_version);
ALTER TABLE ONLY census.loss_origin
    ADD CONSTRAINT loss_origin_app_number_surface_kind_to_version_fkey FOREIGN KEY (app_number, surface, kind, to_version) REFERENCES census.loss_watch(app_number, surface, kind, to_version);
ALTER TABLE ONLY census.loss_version
    ADD CONSTRAINT loss_version_app_number_fkey FOREIGN KEY (app_number) REFERENCES census.app(app_number);
ALTER TABLE ONLY census.loss_watch
    ADD CONSTRAINT loss_watch_app_number_to_version_fkey FOREIGN KEY (app_number, to_version) REFERENCES census.loss_version(app_number, to_version);
ALTER TABLE ONLY census.manifest
    ADD CONSTRAINT manifest_app_number_fkey FOREIGN KEY (app_number) REFERENCES census.app(app_number);
ALTER TABLE ONLY census.manifest_kind
    ADD CONSTRAINT manifest_kind_app_number_app_version_fkey FOREIGN KEY (app_number, app_version) REFERENCES census.manifest(app_number, app_version);
ALTER TABLE ONLY census.readiness
    ADD CONSTRAINT readiness_app_number_fkey FOREIGN KEY (app_number) REFERENCES census.app(app_number);
ALTER TABLE ONLY census.setting_act
    ADD CONSTRAINT setting_act_app_number_fkey FOREIGN KEY (app_number) REFERENCES census.app(app_number);
ALTER TABLE ONLY census.webhook
    ADD CONSTRAINT webhook_app_number_fkey FOREIGN KEY (app_number) REFERENCES census.app(app_number);
ALTER TABLE ONLY census.webhook_delivery
    ADD CONSTRAINT webhook_delivery_webhook_number_fkey FOREIGN KEY (webhook_number) REFERENCES census.webhook(webhook_number);
