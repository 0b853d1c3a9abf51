internal import Postgres

/// Why the store did not do what it was asked to: who must act, and whether a retry helps.
package struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Fault: Hashable, Sendable {
        /// PostgreSQL is down, slow or full. Nothing was done, or the outcome is unknown; retrying is safe.
        case away
        /// The schema is not the one this program knows, or this program has a bug. Retrying does not help.
        case ours
        /// The data can't be stored: it should have been refused before.
        case data
        /// The caller asked for something that does not exist or is not allowed.
        case request
        /// PostgreSQL's operator must act: a right is missing, or the database has the wrong encoding. Until then retrying does
        /// not help.
        case setUp
    }

    package var fault: Fault
    /// Whether it lasts until a person acts. That can also be true if the store is away, for example because the password is
    /// wrong.
    package var takesPerson: Bool
    /// Whether the description already names the workers of a cluster that don't answer.
    var namesWorkers = false
    /// A sentence without data: what was wrong and what to do.
    package var description: String

    package init(_ fault: Fault, _ description: String) {
        self.fault = fault
        self.takesPerson = [.data, .request, .setUp].contains(fault)
        self.description = description
    }

    package var isStoreAway: Bool { fault == .away }

    /// Somebody acted after the person who acts now looked. Nothing was done.
    package static let overtaken = StoreError(
        .request, "somebody decided something in the meantime, so nothing was changed")
}

extension Transaction {
    /// - Parameters:
    ///   - seen: the number of the last act when the person looked; nil: whatever it is.
    ///   - statement: selects the number of the last act on the same thing.
    /// - Throws: ``StoreError/overtaken``.
    func require(
        _ seen: Int64?, from statement: Statement, _ parameters: [(any PostgresCodable)?]
    ) async throws {
        guard let seen else { return }
        guard try await value(statement, parameters, as: Int64.self) == seen else { throw StoreError.overtaken }
    }
}

extension StoreError {
    init(_ error: PostgresError) {
        let lacksRight = error.sqlState == .insufficientPrivilege
        self.init(
            Fault(error),
            error.description
                + (lacksRight ? "; grant it to the role of DATABASE_URL, or restore the backup as that role" : ""))
        if error.blame == .setUp { takesPerson = true }
    }

    /// Turns anything that a statement threw into an error of the store.
    package init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as PostgresError: self.init(error)
        case is CancellationError: self.init(.away, "the work was cancelled")
        case is WritersGoOn: self.init(.away, "another session has been storing events for too long; try again")
        default: self.init(.ours, "unexpected \(type(of: error))")
        }
    }
}

extension StoreError {
    /// Runs work on the store and rethrows any error as a ``StoreError``.
    static func wrapping<T>(
        _ work: nonisolated(nonsending) () async throws -> T
    ) async throws(StoreError) -> T {
        do { return try await work() } catch { throw StoreError(error) }
    }
}

extension StoreError.Fault {
    fileprivate init(_ error: PostgresError) {
        self =
            switch error.blame {
            // While connecting fails, for whatever reason, the store is away.
            case _ where error.isStoreAway: .away
            // A cancelled caller gave up on the store, and a conflict comes from another transaction: the device being worked
            // on is not to blame.
            case .store, .conflict: .away
            case .data: .data
            case .setUp: .setUp
            case .program: .ours
            }
    }
}
