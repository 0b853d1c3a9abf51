package import CensusCore
internal import Postgres

/// Something that reached the server, as ``ArrivalReader`` finds it.
package struct Arrived: Hashable, Sendable {
    package enum Outcome: Hashable, Sendable {
        /// With the event's time as sent.
        case accepted(id: String, at: Timestamp)
        case refused(id: String?, code: String, message: String)
        /// About the batch of the same device and time.
        case warned(code: String, message: String, pointer: String)
    }

    package var receivedAt: Timestamp
    package var device: Pseudonym
    package var outcome: Outcome

    package init(receivedAt: Timestamp, device: Pseudonym, outcome: Outcome) {
        self.receivedAt = receivedAt
        self.device = device
        self.outcome = outcome
    }
}

/// Reads what reaches the server for one app, for people who watch events arrive.
package struct ArrivalReader: Sendable {
    let database: Database

    /// The newest arrivals after a time, the oldest of them first.
    ///
    /// - Parameters:
    ///   - device: nil for all devices, limited to events of the last two days.
    ///   - most: the most arrivals to return.
    package func arrivals(
        of app: App, device: Pseudonym?, after time: Timestamp, most: Int
    ) async throws(StoreError) -> [Arrived] {
        try await database.rows(SQL.ArrivalReader.newest, [app.number, time, device, most], as: Arrived.init)
            .reversed()
    }
}

extension Arrived {
    fileprivate init(_ row: Row) throws {
        let id: String? = try row["event_id"]
        let outcome: Outcome
        if let code: String = try row["code"] {
            let message: String = try row["message"]
            let pointer: String? = try row["pointer"]
            outcome =
                pointer.map { .warned(code: code, message: message, pointer: $0) }
                ?? .refused(id: id, code: code, message: message)
        } else {
            outcome = .accepted(id: id ?? "", at: try row["occurred_at"])
        }
        try self.init(
            receivedAt: row["received_at"], device: row["device_id"], outcome: outcome)
    }
}
