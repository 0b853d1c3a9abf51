/// A violation of one claim of a report's checks.
struct Plant: Sendable {
    var report: String
    /// How the claim begins.
    var claim: String
    /// Takes constraints away where they make the violation impossible.
    var script: String

    private init(_ report: String, _ claim: String, _ script: String) {
        self.report = report
        self.claim = claim
        self.script = script
    }

    /// For a database that ``FilledLedger`` filled.
    static let all: [Plant] =
        [
            "live_now", "live_kinds", "live_installs", "changes", "ghosts", "os_quirks", "coverage", "adoption",
            "refused",
        ].map { Plant($0, "one row per", twoAppsOfOneName) }
        + ["live_kinds", "live_installs", "changes", "ghosts", "adoption"]
        .map { Plant($0, "only closed days", "delete from census.closed_day where app_number = 1") }
        + counts + installs + flows + devices + refusals

    private static let twoAppsOfOneName = """
        alter table census.app drop constraint app_id_is_unique;
        update census.app set
            app_id = 'com.example.weather';
        """

    private static let unboundKinds = """
        alter table census.kind_day
            drop constraint kind_day_bounds_are_ordered,
            drop constraint kind_day_outcomes_are_within;

        """

    private static let counts = [
        Plant("live_now", "devices_certain <=", "update census.kind_entry set devices_possible = -9000"),
        Plant("live_now", "widgets_certain <=", "update census.kind_entry set widgets_possible = -9000"),
        Plant("live_now", "every device", "update census.kind_entry set widgets_certain = -9"),
        Plant("live_now", "as_of is known", "delete from census.reconciled"),
        Plant("live_now", "the last reconciled", "update census.reconciled set as_of = as_of - interval '3 days'"),
        // More unsettled devices than there are possible ones.
        Plant("live_kinds", "devices_certain <=", "update census.kind_day_unsettled set devices = 1000"),
        Plant("live_kinds", "widgets_certain <=", unboundKinds + "update census.kind_day set widgets_possible = 1"),
        Plant("live_kinds", "every device", unboundKinds + "update census.kind_day set widgets_certain = 1"),
        Plant(
            "live_kinds", "what was first known", "update census.kind_day set devices_possible_first_known = 1"),
        Plant("ghosts", "widgets_gone +", unboundKinds + "update census.kind_day set widgets_gone = widgets_suspect"),
        Plant("ghosts", "suspects are possible", "update census.kind_day set widgets_suspect = widgets_suspect + 1"),
    ]

    private static let unboundInstalls = """
        alter table census.install_day
            drop constraint install_day_bounds_are_ordered;

        """

    private static let installs = [
        Plant(
            "live_installs", "certain <= possible",
            unboundInstalls + "update census.install_day set devices_possible = 1"),
        Plant(
            "live_installs", "every device", unboundInstalls + "update census.install_day set widgets_certain = 1"),
        Plant(
            "live_installs", "widgets add up", "update census.install_day set widgets_reported = widgets_reported + 1"),
        Plant(
            "live_installs", "live_kinds has as many",
            "update census.kind_day set devices_certain = devices_certain + 1"),
    ]

    private static let flows = [
        Plant("changes", "every cause", "update census.change_day set cause = 'moved' where cause = 'removed'"),
        Plant(
            "changes", "nothing negative",
            """
            alter table census.change_day
                drop constraint change_day_counts;
            update census.change_day set
                widgets_removed = -1;
            """),
        Plant("changes", "what came and went", "delete from census.change_day where cause = 'removed'"),
        Plant(
            "os_quirks", "ordinary_removal_share is",
            """
            alter table census.change_day
                drop constraint change_day_counts;
            update census.change_day set
                widgets_removed = -90;
            """),
    ]

    private static func unboundDevices(_ assignment: String) -> String {
        """
        alter table census.device_day
            drop constraint device_day_counts_are_within;
        update census.device_day set
            \(assignment);
        """
    }

    private static let devices = [
        Plant("coverage", "every number", unboundDevices("devices_cloned = 1001")),
        Plant("coverage", "no more devices", unboundDevices("devices_active = 10")),
        Plant(
            "coverage", "0 <= reads_failed",
            """
            alter table census.read_quarter
                drop constraint read_quarter_counts;
            update census.read_quarter set
                reads_failed = 1001;
            """),
        Plant("coverage", "of a day with 20", "update census.read_quarter set reads_failed = reads"),
        Plant("adoption", "devices_with_any_widget <=", unboundDevices("devices_with_widget = 1001")),
        // Rows without an active device are not shown.
        Plant(
            "adoption", "devices add up",
            unboundDevices("devices_active = case os_version when '14.0' then -1 else 1000 end")),
    ]

    private static let refusals = [
        Plant("refused", "every row has", "update census.refused set message = ''"),
        Plant("refused", "every code", "update census.refused set code = 'disliked' where code = 'too_old'"),
        Plant("refused", "the day is", "update census.refused set received_at = received_at - interval '1 day'"),
        Plant(
            "refused", "on no day",
            """
            insert into census.refused (
                device_id, refused_on, digest, app_number, received_at, code, message, event)
            select
                md5(number::text)::uuid, refused_on, '', app_number, received_at, code, message, event
            from (select * from census.refused where code = 'unknown_type' limit 1) as one
            cross join generate_series(1, 1001) as number;
            """),
    ]
}
