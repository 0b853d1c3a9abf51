internal import Postgres

/// Why the store did not do what it was asked: whose fault it is, and whether to ask again.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Fault: Hashable, Sendable {
        /// PostgreSQL is away, slow or full. Nothing was done, or it is not known; to ask again is safe.
        case away
        /// The schema is not the one this program knows, or this program has a bug. Asking again does not help.
        case ours
        /// The data can't be stored: it should have been refused before.
        case data
        /// The caller asked for something that is not there, or not allowed.
        case request
    }

    package var fault: Fault
    /// A sentence without data: what was wrong and what to do.
    package var description: String

    package init(_ fault: Fault, _ description: String) {
        self.fault = fault
        self.description = description
    }

    package var isStoreAway: Bool { fault == .away }
}

extension StoreError {
    init(_ error: PostgresError) {
        // Whoever cancelled gave up on the store; a device that was worked on is not to blame.
        let isAway = error.isStoreAway || error.kind == .cancelled
        self.init(isAway ? .away : error.isDataError ? .data : .ours, error.description)
    }

    /// Whatever a statement threw, as an error of the store.
    package init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as PostgresError: self.init(error)
        case is CancellationError: self.init(.away, "the work was cancelled")
        case is WritersGoOn: self.init(.away, "somebody has been storing events for too long: try again")
        default: self.init(.ours, "unexpected \(type(of: error))")
        }
    }
}
