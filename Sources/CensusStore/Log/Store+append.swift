internal import Postgres

/// What became of the events of some parcels.
package struct AppendOutcome: Hashable, Sendable {
    package var came = 0
    /// Those that were not known before.
    package var stored = 0
    /// Known before under the same identity with another content; the first stands.
    package var conflicting = 0
}

extension Store {
    /// Keeps parcels: all of them or, when it throws, none.
    ///
    /// On return they are committed. To send parcels again is safe: what is known already changes nothing.
    ///
    /// - Parameter deadline: for each statement. Whoever waits for all of them has ``within(_:_:)``.
    package func append(
        _ parcels: [Parcel], deadline: Duration = .seconds(4)
    ) async throws(StoreError) -> AppendOutcome {
        var observations = ObservationColumns()
        for parcel in parcels { observations.append(parcel.observations) }
        let refused = parcels.map(\.refused).filter { !$0.isEmpty }
        do {
            try await addNames(of: parcels)
            let stored = try await append(observations, refused, deadline: deadline)
            var outcome = AppendOutcome(came: observations.count, stored: stored)
            if stored < observations.count {
                // Only a figure for the log: what is committed stays committed when it can't be had.
                outcome.conflicting = await conflicts(observations) ?? 0
            }
            return outcome
        } catch {
            throw StoreError(error)
        }
    }

    /// Of themselves: a name is written once, however often its parcel comes.
    private func addNames(of parcels: [Parcel]) async throws(StoreError) {
        var names: [Int32: KnownNames] = [:]
        for parcel in parcels where !parcel.names.isEmpty {
            names[parcel.appNumber, default: KnownNames()].formUnion(parcel.names)
        }
        for (appNumber, names) in names { try await addNames(names, appNumber: appNumber) }
    }

    private func conflicts(_ observations: ObservationColumns) async -> Int? {
        try? await pool.query(
            SQL.`ObservationLog.conflicts`, observations.identities, deadline: .milliseconds(500)
        ).number()
    }

    /// - Returns: how many observations were not known before.
    private func append(
        _ observations: ObservationColumns, _ refused: [CopyRows], deadline: Duration
    ) async throws -> Int {
        try await retryingConflicts {
            guard !refused.isEmpty else {
                // By itself a statement is a transaction, in one round trip.
                return try await pool.query(
                    SQL.`ObservationLog.append`, observations.parameters, deadline: deadline
                ).number()
            }
            return try await pool.transaction("ObservationLog.append", retries: 0) { connection in
                _ = try await connection.copyIn(SQL.`ObservationLog.refuse`, refused, deadline: deadline)
                return try await connection.query(
                    SQL.`ObservationLog.append`, observations.parameters, deadline: deadline
                ).number()
            }
        }
    }

    /// Tries again, at most three times, when another transaction came in between and nothing was done.
    private func retryingConflicts<T>(_ body: () async throws -> T) async throws -> T {
        var attempt = 0
        while true {
            do {
                return try await body()
            } catch {
                attempt += 1
                guard let conflict = error as? PostgresError, conflict.isOvertaken, attempt <= 3 else { throw error }
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 1...(20 << attempt))))
        }
    }
}

extension PostgresError {
    /// The victim of a deadlock; or a row was on its way to `observation_other` when the partition of its day was attached
    /// (a check constraint of ours has a name).
    fileprivate var isOvertaken: Bool {
        sqlState == .deadlockDetected || sqlState == .serializationFailure
            || (sqlState == .checkViolation && constraint == nil)
    }
}

extension Rows {
    fileprivate func number() throws(PostgresError) -> Int {
        try first?.decode(Int.self, at: 0) ?? 0
    }
}
