internal import Postgres

/// Appends batches on its own connection and that connection's thread, so no other thread is woken between them.
package actor Appender {
    private let connection: Connection
    private let log: ObservationLog

    package nonisolated var unownedExecutor: UnownedSerialExecutor { connection.unownedExecutor }

    init(connection: Connection, log: ObservationLog) {
        self.connection = connection
        self.log = log
    }

    /// Stores all batches or, if it throws, none.
    ///
    /// On return they are committed. It is safe to append batches again, because known events change nothing. After an error
    /// whose fault is not `data`, the connection might be lost.
    ///
    /// - Parameter limit: the time limit, not counting retries after conflicts with other transactions.
    package func append(_ batches: [BatchRows], within limit: Duration) async throws(StoreError) -> AppendOutcome {
        let end = ContinuousClock.now + limit
        var outcome = AppendOutcome(received: batches.reduce(0) { $0 + $1.observations.count })
        do {
            try await addNames(of: batches, end)
            if try await storeNew(batches, outcome.received, end) {
                outcome.stored = outcome.received
                return outcome
            }
            let observations = ObservationColumns(batches.map(\.observations))
            outcome.stored = try await merge(observations, batches, end)
            if outcome.stored < outcome.received {
                // Needed only for the log: the commit is valid even if conflicts can't be counted.
                outcome.conflicting = await conflicts(observations, of: batches) ?? 0
            }
            return outcome
        } catch {
            throw StoreError(error)
        }
    }

    /// Names have their own commits: each is written once, no matter how often its batch arrives.
    private func addNames(of batches: [BatchRows], _ end: ContinuousClock.Instant) async throws(PostgresError) {
        var names: [Int32: KnownNames] = [:]
        for batch in batches where !batch.names.isEmpty {
            names[batch.appNumber, default: KnownNames()].formUnion(batch.names)
        }
        for (appNumber, names) in names {
            let parameters = NameCatalogue.parameters(names, appNumber: appNumber)
            _ = try await connection.query(SQL.NameCatalogue.add, parameters, deadline: end - .now)
        }
    }

    private func conflicts(_ observations: ObservationColumns, of batches: [BatchRows]) async -> Int? {
        let occurredFrom = batches.compactMap(\.arrival?.occurredFrom).min() ?? .distantPast
        return try? await connection.query(
            SQL.ObservationLog.conflicts, observations.identities + [occurredFrom], deadline: .milliseconds(500)
        ).number()
    }

    /// The fast path for many events that are all new, which is the common case.
    ///
    /// - Returns: false if one was known or another transaction interfered; then nothing is stored.
    private func storeNew(
        _ batches: [BatchRows], _ events: Int, _ end: ContinuousClock.Instant
    ) async throws -> Bool {
        let isCopied = events >= log.rowsToCopy
        guard isCopied || (events >= log.rowsToInsert && !batches.contains(where: \.hasRemarks)),
            !log.redeliveries.areExpected()
        else { return false }
        // In the order of devices, so that transactions that share several devices usually lock them in the same order.
        let batches = batches.sorted { $0.device < $1.device }
        let isNew: Bool
        do {
            isNew =
                isCopied
                ? try await copy(batches, end)
                : try await insert(ObservationColumns(batches.map(\.observations)), of: batches, end)
        } catch let error as PostgresError where error.isOfAnother {
            isNew = false
        }
        log.redeliveries.note(met: !isNew)
        return isNew
    }

    private func copy(_ batches: [BatchRows], _ end: ContinuousClock.Instant) async throws -> Bool {
        do {
            try await connection.transaction("ObservationLog.copy", deadline: end - .now) { connection in
                let statement = SQL.ObservationLog.copy.statement
                _ = try await connection.copyIn(statement, batches.map(\.observations), deadline: end - .now)
                if batches.contains(where: \.hasRemarks) { _ = try await store(ObservationColumns([]), batches, end) }
                guard try await insert(ObservationColumns([]), of: batches, end) else { throw OfForgotten() }
            }
            return true
        } catch is OfForgotten {
            return false
        }
    }

    /// - Parameter batches: batches whose devices are queued and whose reads are counted.
    /// - Returns: false if some of them were forgotten, or might be a device whose hash is gone.
    private func insert(
        _ observations: ObservationColumns, of batches: [BatchRows], _ end: ContinuousClock.Instant
    ) async throws(PostgresError) -> Bool {
        let parameters = ArrivalColumns(batches).parameters + observations.parameters
        return try await connection.query(SQL.ObservationLog.insert, parameters, deadline: end - .now).number() == 0
    }

    /// The careful path: leaves out known events and those of forgotten devices.
    ///
    /// - Returns: how many observations were new.
    private func merge(
        _ observations: ObservationColumns, _ batches: [BatchRows], _ end: ContinuousClock.Instant
    ) async throws -> Int {
        try await log.database.pool.retrying("ObservationLog.append", where: { $0.isOvertaken }) {
            try await store(observations, batches, end)
        }
    }

    /// - Returns: how many observations were new.
    private func store(
        _ observations: ObservationColumns, _ batches: [BatchRows], _ end: ContinuousClock.Instant
    ) async throws(PostgresError) -> Int {
        let parameters = Appender.parameters(observations, remarksOf: batches)
        return try await connection.query(SQL.ObservationLog.append, parameters, deadline: end - .now).number()
    }

    /// The parameters of `ObservationLog.append`.
    static func parameters(
        _ observations: ObservationColumns, remarksOf batches: [BatchRows]
    ) -> [(any PostgresCodable)?] {
        observations.parameters + CopyRows.arrays(of: batches.map(\.refused), BatchRows.refusedColumns)
            + CopyRows.arrays(of: batches.map(\.warned), BatchRows.warnedColumns)
    }
}

extension BatchRows {
    /// Whether it holds more than observations.
    fileprivate var hasRemarks: Bool { !refused.isEmpty || !warned.isEmpty }
}

/// Some of the devices were forgotten, or might be a device whose hash is gone.
private struct OfForgotten: Error {}

extension PostgresError {
    /// An event is already stored, another transaction interfered, or the schema changed under the statement.
    ///
    /// Citus reports any error of a worker during a COPY as an internal error, even a unique violation.
    fileprivate var isOfAnother: Bool {
        sqlState == .uniqueViolation || sqlState == .invalidStatementName || sqlState == .internalError || isOvertaken
    }

    /// The victim of a deadlock, or a row for `observation_other` whose day's partition was just attached (our own check
    /// constraints have names).
    fileprivate var isOvertaken: Bool {
        hasLostConflict || (sqlState == .checkViolation && constraint == nil)
    }
}

extension Rows {
    fileprivate func number() throws(PostgresError) -> Int {
        try first?.decode(Int.self, at: 0) ?? 0
    }
}
