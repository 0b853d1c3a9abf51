internal import Postgres

/// What became of the events of some batches.
package struct AppendOutcome: Hashable, Sendable {
    package var received = 0
    /// Events that were new.
    package var stored = 0
    /// Events known under the same identity with other content; the first stands.
    package var conflicting = 0
}

/// Observations as they were received: appended, never changed.
package struct ObservationLog: Sendable {
    let database: Database
    let names: NameCatalogue
    let rowsToCopy: Int
    let redeliveries: Redeliveries

    /// Stores batches: all of them or, when it throws, none.
    ///
    /// On return they are committed. Sending batches again is safe: known events change nothing.
    ///
    /// - Parameter deadline: for each statement; ``within(_:_:)`` limits all of them together.
    package func append(
        _ batches: [BatchRows], deadline: Duration = .seconds(4)
    ) async throws(StoreError) -> AppendOutcome {
        var outcome = AppendOutcome(received: batches.reduce(0) { $0 + $1.observations.count })
        return try await StoreError.wrapping {
            try await addNames(of: batches)
            if outcome.received >= rowsToCopy, try await copy(batches, deadline) {
                outcome.stored = outcome.received
                return outcome
            }
            let observations = ObservationColumns(batches.map(\.observations))
            outcome.stored = try await merge(observations, batches, deadline)
            if outcome.stored < outcome.received {
                // Only for the log: the commit stands even if conflicts can't be counted.
                outcome.conflicting = await conflicts(observations, of: batches) ?? 0
            }
            return outcome
        }
    }

    /// In commits of their own: a name is written once, however often its batch arrives.
    private func addNames(of batches: [BatchRows]) async throws(StoreError) {
        var names: [Int32: KnownNames] = [:]
        for batch in batches where !batch.names.isEmpty {
            names[batch.appNumber, default: KnownNames()].formUnion(batch.names)
        }
        for (appNumber, names) in names { try await self.names.add(names, appNumber: appNumber) }
    }

    private func conflicts(_ observations: ObservationColumns, of batches: [BatchRows]) async -> Int? {
        let occurredFrom = batches.compactMap(\.arrival?.occurredFrom).min() ?? .distantPast
        return try? await database.query(
            SQL.ObservationLog.conflicts, observations.identities + [occurredFrom], deadline: .milliseconds(500)
        ).number()
    }

    /// The fast path for many events, when all are new, as is usual.
    ///
    /// - Returns: false when one was known or another transaction interfered; then nothing is stored.
    private func copy(_ batches: [BatchRows], _ deadline: Duration) async throws -> Bool {
        guard !redeliveries.areExpected() else { return false }
        // By device: transactions that share several devices then mostly lock them in the same order.
        let batches = batches.sorted { $0.device < $1.device }
        var isNew = true
        do {
            try await database.rawTransaction("ObservationLog.copy", retries: 0) { transaction in
                try await keepRemarks(of: batches, transaction, deadline)
                let rows = batches.map(\.observations)
                try await transaction.copyIn(SQL.ObservationLog.copy, rows, deadline: deadline)
                let arrived = ArrivalColumns(batches).parameters
                let doubtful = try await transaction.query(
                    SQL.ObservationLog.arrived, arrived, deadline: deadline
                ).number()
                guard doubtful == 0 else { throw OfForgotten() }
            }
        } catch {
            guard error is OfForgotten || (error as? PostgresError)?.isOfAnother == true else { throw error }
            isNew = false
        }
        redeliveries.note(met: !isNew)
        return isNew
    }

    /// The careful path: leaves out known events and those of forgotten devices.
    ///
    /// - Returns: how many observations were new.
    private func merge(
        _ observations: ObservationColumns, _ batches: [BatchRows], _ deadline: Duration
    ) async throws -> Int {
        try await database.pool.retrying("ObservationLog.append", where: { $0.isOvertaken }) {
            guard batches.contains(where: { !$0.refused.isEmpty || !$0.warned.isEmpty }) else {
                // A single statement is its own transaction, in one round trip.
                return try await database.query(
                    SQL.ObservationLog.append, observations.parameters, deadline: deadline
                ).number()
            }
            return try await database.rawTransaction("ObservationLog.append", retries: 0) { transaction in
                try await keepRemarks(of: batches, transaction, deadline)
                return try await transaction.query(
                    SQL.ObservationLog.append, observations.parameters, deadline: deadline
                ).number()
            }
        }
    }

    /// What was refused, and what was warned about.
    private nonisolated(nonsending) func keepRemarks(
        of batches: [BatchRows], _ transaction: Transaction, _ deadline: Duration
    ) async throws(PostgresError) {
        for (statement, rows) in [
            (SQL.ObservationLog.refuse, batches.map(\.refused)), (SQL.ObservationLog.warn, batches.map(\.warned)),
        ] {
            let rows = rows.filter { !$0.isEmpty }
            if !rows.isEmpty { try await transaction.copyIn(statement, rows, deadline: deadline) }
        }
    }

    /// Ends the sessions of nodes that stall in the middle of a COPY, and so releases their locks.
    ///
    /// Senders of the same events wait for such a session, and so does an erasure.
    ///
    /// - Parameter age: of the statement. No working node takes longer to send its rows.
    /// - Returns: how many sessions were ended.
    package func endStuckCopies(olderThan age: Duration) async throws(StoreError) -> Int {
        try await database.run(SQL.ObservationLog.endStuck, ["\(age.components.seconds) seconds"])
    }
}

/// Some of the devices were forgotten, or may be one whose hash is gone.
private struct OfForgotten: Error {}

extension PostgresError {
    /// An event is already stored, another transaction interfered, or the schema changed under the statement.
    ///
    /// Citus reports whatever one of its workers says during a COPY as an internal error, even a unique violation.
    fileprivate var isOfAnother: Bool {
        sqlState == .uniqueViolation || sqlState == .invalidStatementName || sqlState == .internalError || isOvertaken
    }

    /// A deadlock's victim; or a row bound for `observation_other` when its day's partition was attached (our own
    /// check constraints have names).
    fileprivate var isOvertaken: Bool {
        hasLostConflict || (sqlState == .checkViolation && constraint == nil)
    }
}

extension Rows {
    fileprivate func number() throws(PostgresError) -> Int {
        try first?.decode(Int.self, at: 0) ?? 0
    }
}
