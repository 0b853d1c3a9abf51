package import CensusCore
internal import Postgres

/// The verdict on one kind of one surface, and what it rests on.
package struct KindVerdict: Hashable, Sendable {
    package var surface: String
    package var kind: String
    package var figures: ReadinessFigures
    package var readiness: Readiness

    package init(surface: String, kind: String, figures: ReadinessFigures, readiness: Readiness) {
        self.surface = surface
        self.kind = kind
        self.figures = figures
        self.readiness = readiness
    }
}

/// What the numbers say about the kinds that people decided on.
package struct DecisionStore: Sendable {
    let database: Database

    /// Judges every kind of an app that is legacy or retired, and keeps the verdicts.
    ///
    /// - Parameter day: judges by the days that have ended by its end; nil: the last one that has ended in the app's zone.
    /// - Returns: by surface and kind.
    @discardableResult
    package func decide(_ app: App, through day: Day? = nil) async throws(StoreError) -> [KindVerdict] {
        try await database.transaction("DecisionStore.decide", isolation: .repeatableRead) { transaction in
            try await transaction.decide(app, through: day)
        }
    }

    /// The same without storing anything, on a read-only database.
    package func verdicts(on app: App) async throws(StoreError) -> [KindVerdict] {
        try await database.transaction("DecisionStore.verdicts", isolation: .repeatableRead, readOnly: true) {
            try await $0.verdicts(on: app, through: nil)
        }
    }

    /// The holders of a kind when the last closed day ended, by what they ran, the most common first.
    package func holders(
        of kind: String, surface: String, appNumber: Int32
    ) async throws(StoreError) -> [KindHolders] {
        try await database.rows(SQL.DecisionStore.holders, [appNumber, surface, kind]) { row in
            KindHolders(
                day: try row.decode("day", as: Day.self),
                appVersion: try row.decode("app_version", as: String.self),
                osVersion: try row.decode("os_version", as: String.self),
                platform: try row.decode("platform", as: String.self),
                certain: try row.decode("devices_certain", as: Int.self),
                possible: try row.decode("devices_possible", as: Int.self))
        }
    }
}

/// Devices that hold a kind and run the same.
package struct KindHolders: Hashable, Sendable {
    /// At its end.
    package var day: Day
    package var appVersion: String
    /// Major and minor; empty when not sent.
    package var osVersion: String
    package var platform: String
    package var certain: Int
    package var possible: Int
}

extension [KindHolders] {
    /// How many devices hold a kind by something that they have in common, the most common first; the equally common by version.
    ///
    /// - Parameter name: what they have in common, told apart byte by byte.
    package func summed(by name: (KindHolders) -> String) -> [(name: String, certain: Int, possible: Int)] {
        let groups = Dictionary(grouping: self) { Version(name($0)) }.map { name, holders in
            (
                name: name, certain: holders.reduce(0) { $0 + $1.certain },
                possible: holders.reduce(0) { $0 + $1.possible }
            )
        }
        return groups.sorted { ($1.possible, $0.name) < ($0.possible, $1.name) }
            .map { ($0.name.text, $0.certain, $0.possible) }
    }
}

extension Transaction {
    /// How many days a forecast may look back at most.
    private static let history = 182

    /// See ``DecisionStore/decide(_:through:)``.
    func decide(_ app: App, through day: Day?) async throws -> [KindVerdict] {
        // While a night runs, a person's act would save what it read before the night ended.
        _ = try await query(SQL.KindRegistry.lock, deadline: .seconds(600))
        _ = try await query(SQL.DecisionStore.dropFuture, [app.number])
        let verdicts = try await verdicts(on: app, through: day)
        if let last = verdicts.first?.figures.lastEnded {
            let records = verdicts.map { ReadinessRecord($0, appNumber: app.number, day: last) }
            _ = try await query(SQL.DecisionStore.save, [try records.json()])
        }
        return verdicts
    }

    fileprivate func verdicts(on app: App, through day: Day?) async throws -> [KindVerdict] {
        guard let row = try await query(SQL.DecisionStore.lastEnded, [app.number]).first else { return [] }
        let ended = try row.decode("last_ended", as: Day.self)
        // The figures are those of now: they say nothing about a day before the newest that is closed.
        let asked = day ?? ended
        let last = min(max(asked, try row.decode("last_closed", as: Day?.self) ?? asked), ended)
        var verdicts = try await query(SQL.DecisionStore.figures, [app.number, last]).map { row in
            try KindVerdict(row, lastEnded: last, limits: app.readiness)
        }
        guard !verdicts.isEmpty else { return [] }
        if let base = try await query(SQL.DecisionStore.base, [app.number, last]).first {
            for index in verdicts.indices { try verdicts[index].figures.add(base, surface: verdicts[index].surface) }
        }
        for system in try await query(SQL.DecisionStore.systems, [app.number, last]).map(RunningSystem.init) {
            for index in verdicts.indices { verdicts[index].figures.add(system, surface: verdicts[index].surface) }
        }
        let names: [(any PostgresCodable)?] = [verdicts.map(\.surface), verdicts.map(\.kind)]
        let place = Dictionary(
            uniqueKeysWithValues: verdicts.enumerated().map { (JudgedKind($1.surface, $1.kind), $0) })
        for row in try await query(
            SQL.DecisionStore.days, [app.number, last, last - max(Transaction.history, app.readiness.days)] + names)
        {
            guard let index = place[try JudgedKind(row)] else { continue }
            verdicts[index].figures.days.append(try BaseDay(row))
        }
        var replacements = Column<String>()
        for verdict in verdicts { replacements.append(verdict.figures.replacement) }
        for row in try await query(SQL.DecisionStore.pools, [app.number] + names + [replacements]) {
            guard let index = place[try JudgedKind(row)] else { continue }
            try verdicts[index].figures.addPool(row)
        }
        return verdicts.map { verdict in
            var verdict = verdict
            verdict.readiness = Readiness(verdict.figures)
            return verdict
        }
    }
}

private struct JudgedKind: Hashable {
    @Bytewise var surface: String
    @Bytewise var kind: String

    init(_ surface: String, _ kind: String) {
        self.surface = surface
        self.kind = kind
    }

    init(_ row: Row) throws(PostgresError) {
        self.init(try row.decode("surface", as: String.self), try row.decode("kind", as: String.self))
    }
}

extension KindVerdict {
    fileprivate init(_ row: Row, lastEnded: Day, limits: ReadinessLimits) throws(PostgresError) {
        surface = try row.decode("surface", as: String.self)
        kind = try row.decode("kind", as: String.self)
        figures = ReadinessFigures(
            lifecycle: Lifecycle(rawValue: try row.decode("lifecycle", as: String.self)) ?? .active,
            lastEnded: lastEnded, limits: limits)
        figures.markedOn = try row.decode("marked_on", as: Day?.self)
        figures.lastActOn = try row.decode("acted_on", as: Day?.self)
        figures.replacement = try row.decode("replaced_by", as: String?.self)
        figures.replacementVersions = try row.decode("replacement_versions", as: Int.self)
        figures.certain = try row.decode("devices_certain", as: Int.self)
        figures.possible = try row.decode("devices_possible", as: Int.self)
        figures.expected = try row.decode("devices_expected", as: Double.self)
        figures.silent = try row.decode("devices_silent", as: Int.self)
        figures.withReplacement = figures.replacement == nil ? nil : 0
        figures.openLosses = Version.sorted(try row.decode("open_losses", as: [String].self))
        readiness = Readiness(figures)
    }
}

extension ReadinessFigures {
    fileprivate mutating func add(_ row: Row, surface: String) throws(PostgresError) {
        able = Able(active: 0, reporting: 0)
        lists = surface == Surface.today.rawValue ? nil : Lists(able: 0, listing: 0)
        active = try row.decode("devices_active", as: Int.self)
        reporting = try row.decode("devices_reporting", as: Int.self)
        coverageMoved = try row.decode("coverage_moved", as: Double.self)
        unknown = try row.decode("devices_unknown", as: Int.self)
        waiting = try row.decode("devices_waiting", as: Int.self)
        uncounted = try row.decode("devices_uncounted", as: Int.self)
        isDoubted = try row.decode("is_doubted", as: Bool.self)
    }

    /// Adds the devices of a system to those that can have the surface. A device that lists it can.
    fileprivate mutating func add(_ system: RunningSystem, surface: String) {
        guard let surface = Surface(rawValue: surface) else { return }
        let isAble = system.platform.map { surface.isPossible(on: $0, osVersion: system.osVersion) } ?? true
        if isAble {
            able?.active += system.active
            able?.reporting += system.reporting
        }
        let listing = system.listing[surface] ?? 0
        lists?.able += isAble ? system.activeNow : listing
        lists?.listing += listing
    }

    /// Silent holders that drop out of the count on one day; without a day, active ones that have the replacing kind.
    fileprivate mutating func addPool(_ row: Row) throws(PostgresError) {
        if let day = try row.decode("expires_on", as: Day?.self) {
            expiring[day] = try row.decode("devices", as: Int.self)
        } else {
            withReplacement = try row.decode("devices", as: Int.self)
        }
    }
}

/// Active devices that run the same system.
private struct RunningSystem {
    /// Nil: this program knows no such system.
    var platform: Platform?
    var osVersion: String
    /// When the last closed day ended.
    var active: Int
    var reporting: Int
    var activeNow: Int
    /// How many sent the list of a surface lately.
    var listing: [Surface: Int]

    init(_ row: Row) throws(PostgresError) {
        platform = Platform(rawValue: try row.decode("platform", as: String.self))
        osVersion = try row.decode("os_version", as: String.self)
        active = try row.decode("devices_active", as: Int.self)
        reporting = try row.decode("devices_reporting", as: Int.self)
        activeNow = try row.decode("devices_active_now", as: Int.self)
        listing = [
            .widget: try row.decode("devices_listing_widgets", as: Int.self),
            .control: try row.decode("devices_listing_controls", as: Int.self),
            .liveActivity: try row.decode("devices_listing_activities", as: Int.self),
        ]
    }
}

extension BaseDay {
    fileprivate init(_ row: Row) throws(PostgresError) {
        self.init(
            day: try row.decode("day", as: Day.self), certain: try row.decode("certain", as: Int.self),
            possible: try row.decode("possible", as: Int.self), silent: try row.decode("silent", as: Int.self),
            installed: try row.decode("installed", as: Int.self), removed: try row.decode("removed", as: Int.self),
            fellSilent: try row.decode("fell_silent", as: Int.self),
            returned: try row.decode("returned", as: Int.self), active: try row.decode("active", as: Int.self))
    }
}
