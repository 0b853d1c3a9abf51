package import CensusCore
internal import Postgres

/// The verdict on one kind of one surface, and its figures.
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

    /// Whether so few devices might still have it now that it can be dropped.
    package var isWithinLimit: Bool { figures.holders <= readiness.limit }
}

/// Verdicts on the kinds that people decided on.
package struct DecisionStore: Sendable {
    let database: Database

    /// Judges every kind of an app that is legacy or retired, and stores the verdicts.
    ///
    /// - Parameter day: the last day to judge by; nil: the last one that has ended in the app's zone.
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

    /// The active ones of some kinds, judged as if they were marked now. Stores nothing.
    package func supposed(_ listed: [ListedKind], of app: App) async throws(StoreError) -> [KindVerdict] {
        let active = listed.filter { $0.lifecycle == .active }.map { (surface: $0.place, kind: $0.kind) }
        guard !active.isEmpty else { return [] }
        return try await database.transaction("DecisionStore.supposed", isolation: .repeatableRead, readOnly: true) {
            try await $0.verdicts(on: app, through: nil, ifMarked: active)
        }
    }

    /// The holders of a kind when the last closed day ended, by versions and platform, the most common first.
    package func holders(
        of kind: String, surface: String, appNumber: Int32
    ) async throws(StoreError) -> [KindHolders] {
        try await database.rows(SQL.DecisionStore.holders, [appNumber, surface, kind])
    }
}

/// Devices that hold a kind and run the same versions.
package struct KindHolders: Hashable, Sendable, Decodable {
    /// At its end.
    package var day: Day
    package var appVersion: String
    /// Major and minor; empty if not sent.
    package var osVersion: String
    package var platform: String
    package var certain: Int
    package var possible: Int
}

extension [KindHolders] {
    /// How many devices hold a kind, grouped by a common property. The most common comes first; ties are sorted by version.
    ///
    /// - Parameter name: the common property, compared byte by byte.
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
    /// How many days a forecast looks back at most.
    private static let history = 182

    /// See ``DecisionStore/decide(_:through:)``.
    func decide(_ app: App, through day: Day?) async throws -> [KindVerdict] {
        // Otherwise a person's act during a night would save figures from before the night ended.
        try await run(SQL.KindRegistry.lock, deadline: .seconds(600))
        try await run(SQL.DecisionStore.dropFuture, [app.number])
        let verdicts = try await verdicts(on: app, through: day)
        if let last = verdicts.first?.figures.lastEnded {
            try await reportReadiness(verdicts, on: last, of: app)
            let records = verdicts.map { ReadinessRecord($0, appNumber: app.number, day: last) }
            try await run(SQL.DecisionStore.save, [try records.json()])
        }
        return verdicts
    }

    /// Queues messages for webhooks about legacy kinds that have become ready since the stored verdicts, or no longer are.
    private func reportReadiness(_ verdicts: [KindVerdict], on day: Day, of app: App) async throws {
        let previous = try await rows(SQL.DecisionStore.previous, [app.number], as: PreviousVerdict.self)
        for verdict in verdicts where verdict.figures.lifecycle == .legacy {
            let kind = JudgedKind(verdict.surface, verdict.kind)
            let wasReady = previous.first { $0.kind == kind }?.verdict == .ready
            guard wasReady != (verdict.readiness.verdict == .ready), let surface = Surface(rawValue: verdict.surface)
            else { continue }
            let message = ReadinessMessage(
                appID: app.id, surface: surface, kind: verdict.kind, day: day, figures: verdict.figures,
                readiness: verdict.readiness,
                others: verdicts.filter { other in
                    other.kind.hasBytes(of: verdict.kind) && other.surface != verdict.surface
                        && other.figures.lifecycle == .legacy && other.readiness.verdict != .ready
                }
                .map(\.surface))
            try await enqueue(WebhookMessage(.readiness(message), at: .now), appNumber: app.number)
        }
    }

    /// - Parameter active: judges these active kinds; empty: those that are legacy or retired.
    fileprivate func verdicts(
        on app: App, through day: Day?, ifMarked active: [(surface: String, kind: String)] = []
    ) async throws -> [KindVerdict] {
        let known = try await rows(SQL.DecisionStore.lastEnded, [app.number], as: LastDays.self)
        guard let known = known.first else { return [] }
        // The figures are current, so they say nothing about a day before the newest closed one.
        let asked = day ?? known.lastEnded
        let last = min(max(asked, known.lastClosed ?? asked), known.lastEnded)
        let listed: [(any PostgresCodable)?] = [active.map(\.surface), active.map(\.kind)]
        var verdicts = try await query(SQL.DecisionStore.figures, [app.number, last] + listed).map { row in
            try KindVerdict(row, lastEnded: last, limits: app.readiness)
        }
        guard !verdicts.isEmpty else { return [] }
        if let base = try await query(SQL.DecisionStore.base, [app.number, last]).first {
            for index in verdicts.indices { try verdicts[index].figures.add(base, surface: verdicts[index].surface) }
        }
        for system in try await rows(SQL.DecisionStore.systems, [app.number, last], as: RunningSystem.self) {
            for index in verdicts.indices { verdicts[index].figures.add(system, surface: verdicts[index].surface) }
        }
        let names: [(any PostgresCodable)?] = [verdicts.map(\.surface), verdicts.map(\.kind)]
        let place = Dictionary(
            uniqueKeysWithValues: verdicts.enumerated().map { (JudgedKind($1.surface, $1.kind), $0) })
        let days: [(any PostgresCodable)?] = [
            app.number, last, last - max(Transaction.history, app.readiness.days),
        ]
        for row in try await rows(SQL.DecisionStore.days, days + names, as: JudgedDay.self) {
            guard let index = place[row.kind] else { continue }
            verdicts[index].figures.days.append(row.day)
        }
        var replacements = Column<String>()
        for verdict in verdicts { replacements.append(verdict.figures.replacement) }
        let pools: [HolderPool] = try await rows(SQL.DecisionStore.pools, [app.number] + names + [replacements])
        for pool in pools {
            guard let index = place[pool.kind] else { continue }
            verdicts[index].figures.add(pool)
        }
        return verdicts.map { verdict in
            var verdict = verdict
            verdict.readiness = Readiness(verdict.figures)
            return verdict
        }
    }
}

/// The row of `DecisionStore.lastEnded`.
private struct LastDays: Decodable {
    var lastEnded: Day
    var lastClosed: Day?
}

private struct JudgedKind: Hashable, Decodable {
    @Bytewise var surface: String
    @Bytewise var kind: String

    init(_ surface: String, _ kind: String) {
        self.surface = surface
        self.kind = kind
    }
}

private struct PreviousVerdict: Decodable {
    var kind: JudgedKind
    var verdict: Readiness.Verdict
}

private struct JudgedDay: Decodable {
    var kind: JudgedKind
    var day: BaseDay
}

/// Silent holders that stop counting on one day; without a day, active ones that have the replacement.
private struct HolderPool: Decodable {
    var kind: JudgedKind
    var expiresOn: Day?
    var devices: Int
}

extension KindVerdict {
    fileprivate init(_ row: Row, lastEnded: Day, limits: ReadinessLimits) throws(PostgresError) {
        surface = try row["surface"]
        kind = try row["kind"]
        figures = try ReadinessFigures(
            lifecycle: row["lifecycle"], lastEnded: lastEnded, limits: limits)
        figures.markedOn = try row["marked_on"]
        figures.lastActOn = try row["acted_on"]
        figures.replacement = try row["replaced_by"]
        figures.replacementVersions = try row["replacement_versions"]
        figures.certain = try row["devices_certain"]
        figures.possible = try row["devices_possible"]
        figures.expected = try row["devices_expected"]
        figures.silent = try row["devices_silent"]
        figures.withReplacement = figures.replacement == nil ? nil : 0
        figures.openLosses = Version.sorted(try row["open_losses"] as [String])
        readiness = Readiness(figures)
    }
}

extension ReadinessFigures {
    fileprivate mutating func add(_ row: Row, surface: String) throws(PostgresError) {
        able = Able(active: 0, reporting: 0)
        lists = surface == Surface.today.rawValue ? nil : Lists(able: 0, listing: 0)
        active = try row["devices_active"]
        reporting = try row["devices_reporting"]
        applying = try row["devices_applying"]
        coverageMoved = try row["coverage_moved"]
        unknown = try row["devices_unknown"]
        waiting = try row["devices_waiting"]
        uncounted = try row["devices_uncounted"]
        isDoubted = try row["is_doubted"]
    }

    /// Adds the devices of a system to those that can have the surface. A device that sends the surface's list can have it.
    fileprivate mutating func add(_ system: RunningSystem, surface: String) {
        guard let surface = Surface(rawValue: surface) else { return }
        if system.isAble(surface) {
            able?.active += system.active
            able?.reporting += system.reporting
        }
        lists?.add(system, surface)
    }

    fileprivate mutating func add(_ pool: HolderPool) {
        if let day = pool.expiresOn {
            expiring[day] = pool.devices
        } else {
            withReplacement = pool.devices
        }
    }
}

extension ReadinessFigures.Lists {
    /// Adds the devices of a system. One that sends the surface's list can have it.
    mutating func add(_ system: RunningSystem, _ surface: Surface) {
        let listing = system.listing(surface)
        able += system.isAble(surface) ? system.activeNow : listing
        self.listing += listing
    }
}

/// Active devices that run the same system.
struct RunningSystem: Decodable {
    var platform: String
    var osVersion: String
    /// At the end of the last closed day.
    var active: Int
    var reporting: Int
    var activeNow: Int
    var listingWidgets: Int
    var listingControls: Int
    var listingActivities: Int

    /// An unknown platform can have any surface.
    fileprivate func isAble(_ surface: Surface) -> Bool {
        Platform(rawValue: platform).map { surface.isPossible(on: $0, osVersion: osVersion) } ?? true
    }

    /// How many recently sent the list of a surface.
    fileprivate func listing(_ surface: Surface) -> Int {
        switch surface {
        case .widget: listingWidgets
        case .control: listingControls
        case .liveActivity: listingActivities
        case .today: 0
        }
    }
}
