internal import CensusCore
internal import Crypto
package import Logging
internal import Postgres

/// Brings the database's schema to the version this program knows.
///
/// Migrations are numbered and only go forward; views are recreated whenever their text changes. Running it twice, or in
/// several processes at once, does no harm: one works, the others wait and find nothing to do.
package struct Migrator: Sendable {
    let store: Store
    private let logger: Logger

    package init(store: Store, logger: Logger) {
        self.store = store
        self.logger = logger
    }

    /// The key, next to the schema's versions, of the newest format in which device states were written, and of the rules for
    /// which all devices were last queued.
    private static let states = -1

    /// The version of the schema that this program knows.
    package static var currentVersion: Int { migrations.count }

    /// How the database compares with this program.
    package enum State: Hashable, Sendable {
        case current
        case empty
        case older(version: Int)
        /// The tables are right, but a view's text has changed.
        case staleViews
        case newer(version: Int)
        /// Devices were not folded by this program's rules yet, or no state has its format.
        case olderStates
        /// A newer program wrote states that this one can't read.
        case newerStates(format: Int)
    }

    package func state() async throws(StoreError) -> State {
        guard try await store.database.value(SQL.Migrator.state, as: Bool.self) == true else { return .empty }
        let applied = try await StoreError.wrapping { try await store.database.query(SQL.Migrator.applied).digests() }
        return Migrator.state(of: applied)
    }

    /// Applies what is missing.
    ///
    /// - Parameter onCluster: whether to fail, before anything is written, if ``distribute()`` would fail.
    /// - Throws: ``StoreError`` with fault `request` when the database is newer than this program.
    /// - Returns: the names of what was applied.
    package func migrate(onCluster: Bool = false) async throws(StoreError) -> [String] {
        try await store.database.transaction("Migrator.migrate", retries: 0) { transaction in
            try await transaction.requireNoWorker()
            if onCluster { try await transaction.requireCluster() }
            try await transaction.execute(script: SQL.Migrator.begin)
            let applied = try await transaction.query(SQL.Migrator.applied).digests()
            if applied.isEmpty { try await transaction.requireNoTables() }
            switch Migrator.state(of: applied) {
            case .newer(let version): throw Migrator.tooNew(version)
            case .newerStates(let format): throw Migrator.unreadable(format)
            default: break
            }
            let rights = try await transaction.rightsToViews()
            var names: [String] = []
            for (position, migration) in Migrator.migrations.enumerated() where applied[position + 1] == nil {
                logger.info("applying migration", metadata: ["name": "\(migration.name)"])
                try await transaction.execute(scriptThatDropsViews: migration)
                try await transaction.record(position + 1, migration.name, Migrator.digest([migration]))
                names.append(migration.name)
            }
            // A migration drops views that it can't change.
            if !names.isEmpty || applied[0] != Migrator.viewsDigest {
                try await transaction.makeViews()
                for right in rights { try await transaction.execute(script: right) }
                try await transaction.record(0, "views", Migrator.viewsDigest)
                names.append("views")
            }
            // A migration can add a table to a distributed schema.
            if try await transaction.value(SQL.Deployment.isDistributed) == true {
                _ = try await transaction.distribute()
            }
            let held = StateVersions(applied[Migrator.states])
            if held.rules < StateVersions.current.rules {
                let queued = try await transaction.query(
                    SQL.DeviceStore.queueAll, [], deadline: .seconds(600)
                ).affected
                if queued > 0 { logger.notice("every device is queued because this version folds by new rules") }
            }
            if held.newest(StateVersions.current) != held {
                let newest = held.newest(StateVersions.current)
                try await transaction.record(Migrator.states, "states of devices", newest.text)
            }
            try await transaction.execute(script: SQL.AnalystRegistry.grant)
            try await transaction.execute(script: SQL.AnalystRegistry.limit)
            return names
        }
    }

    /// Refuses a schema other than the one this program knows, and says what to do.
    package func requireCurrent() async throws(StoreError) {
        switch try await state() {
        case .current: return
        case .empty:
            try await store.database.transaction("Migrator.requireNoWorker") { transaction in
                try await transaction.requireNoWorker()
                try await transaction.requireNoTables()
            }
            throw StoreError(.request, "the database has no schema yet; run `widget-census migrate`")
        case .older(let version):
            throw StoreError(
                .request,
                "the database has schema \(version), but this program needs \(Migrator.currentVersion); "
                    + "run `widget-census migrate`")
        case .staleViews:
            throw StoreError(.request, "the database's reports are not this program's; run `widget-census migrate`")
        case .olderStates:
            throw StoreError(
                .request,
                "the database's devices were folded by older rules than this program's; run `widget-census migrate`")
        case .newer(let version): throw Migrator.tooNew(version)
        case .newerStates(let format): throw Migrator.unreadable(format)
        }
    }

    private static func state(of applied: [Int: String]) -> State {
        let version = applied.keys.max() ?? 0
        if version > currentVersion { return .newer(version: version) }
        let held = StateVersions(applied[states])
        if held.format > StateVersions.current.format { return .newerStates(format: held.format) }
        if version < currentVersion { return version == 0 ? .empty : .older(version: version) }
        guard applied[0] == viewsDigest else { return .staleViews }
        return held.newest(.current) == held ? .current : .olderStates
    }

    private static func tooNew(_ version: Int) -> StoreError {
        StoreError(
            .request,
            "the database has schema \(version), but this program knows only \(currentVersion); run a newer program")
    }

    /// Such states would be set aside, device by device.
    private static func unreadable(_ format: Int) -> StoreError {
        StoreError(
            .request,
            "the database has device states of format \(format), but this program reads only formats up to "
                + "\(DeviceFold.format); run a newer program")
    }

    private static let viewsDigest = digest(viewFiles)

    private static func digest(_ statements: [Statement]) -> String {
        SHA256.hash(data: Array(statements.map(\.text).joined(separator: "\n").utf8)).hexadecimal
    }
}

/// The format and the rules of the states in a database.
private struct StateVersions: Hashable {
    /// The newest format that was written.
    var format: Int
    /// The rules for which all devices were last queued.
    var rules: Int

    static let current = StateVersions(format: Int(DeviceFold.format), rules: Int(DeviceFold.rules))

    init(format: Int, rules: Int) { (self.format, self.rules) = (format, rules) }

    /// - Parameter text: as ``text`` formats it. Programs that wrote no versions left nil or something else.
    init(_ text: String?) {
        let numbers = (text ?? "").split(separator: " ").compactMap { Int($0) }
        self =
            numbers.count == 2
            ? StateVersions(format: numbers[0], rules: numbers[1]) : StateVersions(format: 2, rules: 2)
    }

    var text: String { "\(format) \(rules)" }

    func newest(_ other: StateVersions) -> StateVersions {
        StateVersions(format: max(format, other.format), rules: max(rules, other.rules))
    }
}

extension Transaction {
    /// Replaces the views and keeps everyone's rights to read them. If a view's columns have changed that is impossible, so all
    /// views are dropped first.
    fileprivate func makeViews() async throws {
        try await execute(script: Statement("Migrator.savepoint", "savepoint views"))
        guard let error = await failureOfReplacingViews() else { return }
        guard error.sqlState?.class == "42" else { throw error }
        try await execute(script: Statement("Migrator.rollback", "rollback to savepoint views"))
        for view in Migrator.views.reversed() {
            let schema = ReportReader.names.contains(view.name) ? "report" : "census"
            try await execute(
                scriptThatDropsViews: Statement("Migrator.dropView", "drop view if exists \(schema).\(view.name)"))
        }
        if let error = await failureOfReplacingViews() { throw error }
    }

    /// Runs a script that drops views. Never uses `cascade`, which would drop views that others built on ours.
    ///
    /// - Throws: ``StoreError`` with fault `request` that names such views.
    fileprivate func execute(scriptThatDropsViews script: Statement) async throws {
        let strangers = try await rows(SQL.Migrator.strangers, as: String.self)
        do throws(PostgresError) {
            try await execute(script: script)
        } catch {
            guard error.sqlState == .dependentObjects, !strangers.isEmpty else { throw error }
            throw StoreError(
                .request,
                "the census's views must be recreated, but views that are not the census's read them; drop "
                    + "\(strangers.joined(separator: ", ")), run this again, then create them again")
        }
    }

    /// Statements that grant people's rights to our views again, because dropping a view removes them.
    fileprivate func rightsToViews() async throws -> [Statement] {
        try await rows(SQL.Migrator.rights, as: String.self).map { Statement("Migrator.grant", $0) }
    }

    private func failureOfReplacingViews() async -> PostgresError? {
        do throws(PostgresError) {
            for view in Migrator.views { try await execute(script: view) }
            return nil
        } catch {
            return error
        }
    }

    fileprivate func record(_ version: Int, _ name: String, _ digest: String) async throws {
        try await run(SQL.Migrator.record, [Int32(version), name, digest])
    }
}

extension Rows {
    fileprivate func digests() throws(PostgresError) -> [Int: String] {
        var digests: [Int: String] = [:]
        for row in self { digests[try row["version"] as Int] = try row["digest"] }
        return digests
    }
}

extension Transaction {
    /// Throws if our schemas exist without a record of our migrations, as after a restore that stopped half-way.
    fileprivate func requireNoTables() async throws {
        guard try await value(SQL.Migrator.hasTables) == true else {
            return
        }
        throw StoreError(
            .request,
            "the database has tables in the schema census, or a schema report, but no record of the migrations that created them: "
                + "a restore stopped half-way, or they are another program's. Take another database, or empty this one with "
                + "`drop schema if exists census, census_schema, report cascade` and restore it again")
    }
}
