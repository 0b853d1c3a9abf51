package import CensusCore
internal import Postgres

/// What the console's pages show, in numbers of one app.
package struct ConsoleReader: Sendable {
    let database: Database

    /// - Returns: nil while no day is closed.
    package func lastClosedDay(appNumber: Int32) async throws(StoreError) -> Day? {
        try await database.rows(SQL.ConsoleReader.lastClosed, [appNumber]) { row in
            try row["day"] as Day?
        }.first ?? nil
    }

    package func closedDays(appNumber: Int32, since: Day) async throws(StoreError) -> Set<Day> {
        Set(
            try await database.rows(SQL.ConsoleReader.closedDays, [appNumber, since]) { row in
                try row["day"] as Day
            })
    }

    /// The releases and the decisions on kinds since a day, by day.
    package func marks(appNumber: Int32, since: Day) async throws(StoreError) -> [ConsoleMark] {
        let releases = try await database.rows(SQL.ConsoleReader.releases, [appNumber, since]) { row in
            (day: try row["day"], version: Version(try row["app_version"]))
        }
        .sorted { ($0.day, $0.version) < ($1.day, $1.version) }
        .map { ConsoleMark(day: $0.day, event: .release(version: $0.version.text)) }
        let acts = try await database.rows(SQL.ConsoleReader.acts, [appNumber, since]) { row in
            try ConsoleMark(
                day: row["day"],
                event: .act(
                    surface: row["surface"], kind: row["kind"], Lifecycle(rawValue: row["lifecycle"]) ?? .active,
                    by: row["actor"]))
        }
        return (releases + acts).sorted { $0.day < $1.day }
    }

    /// What was refused since a day, most frequent first.
    package func refusals(app: App, since: Day) async throws(StoreError) -> [RefusalCount] {
        try await database.rows(SQL.ConsoleReader.refusals, [app.id, since]) { row in
            try RefusalCount(
                code: row["code"], events: row["events"], lastDay: row["last_day"], example: row["example"])
        }
    }

    package func coverage(app: App, since: Day) async throws(StoreError) -> [CoverageDay] {
        try await database.rows(SQL.ConsoleReader.coverage, [app.id, since]) { row in
            try CoverageDay(
                day: row["day"], active: row["devices_active"], reporting: row["devices_reporting"],
                reads: row["reads"], readsFailed: row["reads_failed"], cloned: row["devices_cloned"],
                policyApplied: row["policy_applied"])
        }
    }

    /// The systems on which suspects were settled, those with the most first.
    package func quirks(app: App) async throws(StoreError) -> [SystemQuirk] {
        let quirks = try await database.rows(SQL.ConsoleReader.quirks, [app.id]) { row in
            try SystemQuirk(
                platform: row["platform"], osVersion: row["os_version"], settled: row["suspects_settled"],
                gone: row["gone"], share: row["gone_share"], low: row["low"], high: row["high"],
                ordinary: row["ordinary_removal_share"])
        }
        return quirks.sorted {
            ($1.settled, $0.platform, Version($0.osVersion)) < ($0.settled, $1.platform, Version($1.osVersion))
        }
    }
}

extension ConsoleReader {
    /// The devices that held a kind when a day ended, by family; a device may hold several.
    package func families(
        app: App, surface: String, kind: String, on day: Day
    ) async throws(StoreError) -> [FamilyCount] {
        try await database.rows(SQL.ConsoleReader.families, [app.id, surface, kind, day]) { row in
            try FamilyCount(
                family: row["family"], certain: row["devices_certain"], possible: row["devices_possible"])
        }
    }

    package func changes(
        app: App, surface: String, kind: String, since: Day
    ) async throws(StoreError) -> [ChangeCount] {
        try await database.rows(SQL.ConsoleReader.changes, [app.id, surface, kind, since]) { row in
            try ChangeCount(
                day: row["day"], cause: row["cause"], added: row["widgets_added"], removed: row["widgets_removed"])
        }
    }

    package func ghosts(
        app: App, surface: String, kind: String, since: Day
    ) async throws(StoreError) -> [GhostDay] {
        try await database.rows(SQL.ConsoleReader.ghosts, [app.id, surface, kind, since]) { row in
            try GhostDay(
                day: row["day"], suspect: row["widgets_suspect"], gone: row["widgets_gone"],
                stillThere: row["widgets_still_there"])
        }
    }
}
