package import CensusCore
internal import Postgres

/// The numbers of one app that the console's pages show.
package struct ConsoleReader: Sendable {
    let database: Database

    /// - Returns: nil while no day is closed.
    package func lastClosedDay(appNumber: Int32) async throws(StoreError) -> Day? {
        try await database.rows(SQL.ConsoleReader.lastClosed, [appNumber], as: Day?.self).first ?? nil
    }

    package func closedDays(appNumber: Int32, since: Day, until: Day) async throws(StoreError) -> Set<Day> {
        Set(try await database.rows(SQL.ConsoleReader.closedDays, [appNumber, since, until]))
    }

    /// - Parameter day: a closed one.
    package func headline(app: App, on day: Day) async throws(StoreError) -> AppHeadline? {
        try await database.rows(SQL.ConsoleReader.headlines, [app.id, day], as: AppHeadline.self).first
    }

    /// Every app's numbers on its last closed day. Apps without one have none.
    package func headlines() async throws(StoreError) -> [AppHeadline] {
        try await database.rows(SQL.ConsoleReader.headlines, [nil as String?, nil as Day?])
    }

    /// The kinds that are legacy or retired.
    package func decided(appNumber: Int32) async throws(StoreError) -> [DecidedKind] {
        try await database.rows(SQL.ConsoleReader.decided, [appNumber])
    }

    /// The releases, the decisions on kinds, and what happened to incidents since a day, by day.
    package func marks(appNumber: Int32, since: Day) async throws(StoreError) -> [ConsoleMark] {
        let releases = try await database.rows(SQL.ConsoleReader.releases, [appNumber, since], as: Release.self)
            .map { (day: $0.day, version: Version($0.appVersion)) }
            .sorted { ($0.day, $0.version) < ($1.day, $1.version) }
            .map { ConsoleMark(day: $0.day, event: .release(version: $0.version.text)) }
        let acts = try await database.rows(SQL.ConsoleReader.acts, [appNumber, since], as: Act.self).map {
            ConsoleMark(day: $0.day, event: .act(surface: $0.surface, kind: $0.kind, $0.lifecycle, by: $0.actor))
        }
        let losses = try await database.rows(SQL.ConsoleReader.lossActs, [appNumber, since], as: Loss.self).map {
            ConsoleMark(
                day: $0.day,
                event: .loss(surface: $0.surface, kind: $0.kind, version: $0.version, $0.state, by: $0.actor))
        }
        let acknowledged = try await database.rows(
            SQL.ConsoleReader.acknowledgements, [appNumber, since], as: Acknowledged.self
        ).map {
            ConsoleMark(
                day: $0.day,
                event: .acknowledgement(
                    surface: $0.surface, kind: $0.kind, version: $0.version, by: $0.actor,
                    isWithdrawn: $0.isWithdrawn))
        }
        return (releases + acts + losses + acknowledged).sorted { $0.day < $1.day }
    }

    /// Refused events, the most frequent first.
    ///
    /// - Parameter until: the last day; nil: until now.
    package func refusals(app: App, since: Day, until: Day?) async throws(StoreError) -> [RefusalCount] {
        try await database.rows(SQL.ConsoleReader.refusals, [app.id, since, until])
    }

    package func coverage(app: App, since: Day, until: Day) async throws(StoreError) -> [CoverageDay] {
        try await database.rows(SQL.ConsoleReader.coverage, [app.id, since, until])
    }

    /// The systems with settled suspects, the one with the most first.
    package func quirks(app: App) async throws(StoreError) -> [SystemQuirk] {
        try await database.rows(SQL.ConsoleReader.quirks, [app.id], as: SystemQuirk.self).sorted {
            ($1.settled, $0.platform, Version($0.osVersion)) < ($0.settled, $1.platform, Version($1.osVersion))
        }
    }
}

extension ConsoleReader {
    /// The devices that held a kind when a day ended, by family; a device can hold several.
    package func families(
        app: App, surface: String, kind: String, on day: Day
    ) async throws(StoreError) -> [FamilyCount] {
        try await database.rows(SQL.ConsoleReader.families, [app.id, surface, kind, day])
    }

    package func changes(
        app: App, surface: String, kind: String, since: Day, until: Day
    ) async throws(StoreError) -> [ChangeCount] {
        try await database.rows(SQL.ConsoleReader.changes, [app.id, surface, kind, since, until])
    }

    package func ghosts(
        app: App, surface: String, kind: String, since: Day, until: Day
    ) async throws(StoreError) -> [GhostDay] {
        try await database.rows(SQL.ConsoleReader.ghosts, [app.id, surface, kind, since, until])
    }
}

private struct Release: Decodable {
    var day: Day
    var appVersion: String
}

private struct Act: Decodable {
    var day: Day
    var surface: String
    var kind: String
    var lifecycle: Lifecycle
    var actor: String
}

private struct Loss: Decodable {
    var day: Day
    var surface: String
    var kind: String
    var state: LossState
    var actor: String
    var version: String
}

private struct Acknowledged: Decodable {
    var day: Day
    var surface: String
    var kind: String
    var actor: String
    var version: String
    var isWithdrawn: Bool
}
