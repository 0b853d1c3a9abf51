package import CensusCore
internal import Postgres

/// What the console's pages show, in numbers of one app.
package struct ConsoleReader: Sendable {
    let database: Database

    /// - Returns: nil while no day is closed.
    package func lastClosedDay(appNumber: Int32) async throws(StoreError) -> Day? {
        try await database.rows(SQL.ConsoleReader.lastClosed, [appNumber]) { row in
            try row.decode("day", as: Day?.self)
        }.first ?? nil
    }

    package func closedDays(appNumber: Int32, since: Day) async throws(StoreError) -> Set<Day> {
        Set(
            try await database.rows(SQL.ConsoleReader.closedDays, [appNumber, since]) { row in
                try row.decode("day", as: Day.self)
            })
    }

    /// The releases and the decisions on kinds since a day, by day.
    package func marks(appNumber: Int32, since: Day) async throws(StoreError) -> [ConsoleMark] {
        let releases = try await database.rows(SQL.ConsoleReader.releases, [appNumber, since]) { row in
            (day: try row.decode("day", as: Day.self), version: Version(try row.decode("app_version", as: String.self)))
        }
        .sorted { ($0.day, $0.version) < ($1.day, $1.version) }
        .map { ConsoleMark(day: $0.day, event: .release(version: $0.version.text)) }
        let acts = try await database.rows(SQL.ConsoleReader.acts, [appNumber, since]) { row in
            ConsoleMark(
                day: try row.decode("day", as: Day.self),
                event: .act(
                    surface: try row.decode("surface", as: String.self), kind: try row.decode("kind", as: String.self),
                    Lifecycle(rawValue: try row.decode("lifecycle", as: String.self)) ?? .active,
                    by: try row.decode("actor", as: String.self)))
        }
        return (releases + acts).sorted { $0.day < $1.day }
    }

    /// What was refused at the door since a day, most frequent first.
    package func refusals(app: App, since: Day) async throws(StoreError) -> [RefusalCount] {
        try await database.rows(SQL.ConsoleReader.refusals, [app.id, since]) { row in
            RefusalCount(
                code: try row.decode("code", as: String.self), events: try row.decode("events", as: Int.self),
                lastDay: try row.decode("last_day", as: Day.self),
                example: try row.decode("example", as: String.self))
        }
    }

    package func coverage(app: App, since: Day) async throws(StoreError) -> [CoverageDay] {
        try await database.rows(SQL.ConsoleReader.coverage, [app.id, since]) { row in
            CoverageDay(
                day: try row.decode("day", as: Day.self),
                active: try row.decode("devices_active", as: Int.self),
                reporting: try row.decode("devices_reporting", as: Int.self),
                reads: try row.decode("reads", as: Int.self),
                readsFailed: try row.decode("reads_failed", as: Int.self),
                cloned: try row.decode("devices_cloned", as: Int.self),
                policyApplied: try row.decode("policy_applied", as: Int?.self))
        }
    }

    /// The systems on which suspects were settled, those with the most first.
    package func quirks(app: App) async throws(StoreError) -> [SystemQuirk] {
        let quirks = try await database.rows(SQL.ConsoleReader.quirks, [app.id]) { row in
            SystemQuirk(
                platform: try row.decode("platform", as: String.self),
                osVersion: try row.decode("os_version", as: String.self),
                settled: try row.decode("suspects_settled", as: Int.self),
                gone: try row.decode("gone", as: Int.self),
                share: try row.decode("gone_share", as: Double?.self),
                low: try row.decode("low", as: Double?.self),
                high: try row.decode("high", as: Double?.self),
                ordinary: try row.decode("ordinary_removal_share", as: Double?.self))
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
            FamilyCount(
                family: try row.decode("family", as: String.self),
                certain: try row.decode("devices_certain", as: Int.self),
                possible: try row.decode("devices_possible", as: Int.self))
        }
    }

    package func changes(
        app: App, surface: String, kind: String, since: Day
    ) async throws(StoreError) -> [ChangeCount] {
        try await database.rows(SQL.ConsoleReader.changes, [app.id, surface, kind, since]) { row in
            ChangeCount(
                day: try row.decode("day", as: Day.self), cause: try row.decode("cause", as: String.self),
                added: try row.decode("widgets_added", as: Int.self),
                removed: try row.decode("widgets_removed", as: Int.self))
        }
    }

    package func ghosts(
        app: App, surface: String, kind: String, since: Day
    ) async throws(StoreError) -> [GhostDay] {
        try await database.rows(SQL.ConsoleReader.ghosts, [app.id, surface, kind, since]) { row in
            GhostDay(
                day: try row.decode("day", as: Day.self),
                suspect: try row.decode("widgets_suspect", as: Int.self),
                gone: try row.decode("widgets_gone", as: Int.self),
                stillThere: try row.decode("widgets_still_there", as: Int.self))
        }
    }
}
