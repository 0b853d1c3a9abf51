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
    /// - Parameter deadline: by default short: a phone waits ten seconds for its answer, and its batch may have to wait
    ///   for a group to be committed before it.
    package func append(
        _ parcels: [Parcel], deadline: Duration = .seconds(4)
    ) async throws(StoreError) -> AppendOutcome {
        let observations = parcels.map(\.observations).filter { !$0.isEmpty }
        let refused = parcels.map(\.refused).filter { !$0.isEmpty }
        do {
            if refused.isEmpty {
                // One simple query is one transaction, and one round trip.
                return try AppendOutcome(
                    await pool.copyIn(SQL.`ObservationLog.append`, observations, deadline: deadline))
            }
            return try await pool.transaction("ObservationLog.append") { connection in
                _ = try await connection.copyIn(SQL.`ObservationLog.refuse`, refused, deadline: deadline)
                guard !observations.isEmpty else { return AppendOutcome() }
                return try AppendOutcome(
                    await connection.copyIn(SQL.`ObservationLog.append`, observations, deadline: deadline))
            }
        } catch {
            throw StoreError(error)
        }
    }
}

extension AppendOutcome {
    init(_ results: [ScriptResult]) throws(StoreError) {
        let counts = results.compactMap(\.rows).last?.rows.first?.compactMap { $0.flatMap { Int($0) } } ?? []
        guard counts.count == 3 else { throw StoreError(.ours, "ObservationLog.append answered without its counts") }
        self.init(came: counts[0], stored: counts[1], conflicting: counts[2])
    }
}
