extension PostgresError {
    /// Whether the same call can succeed later.
    public enum Advice: Hashable, Sendable {
        /// Nothing was done: try again after a pause.
        case retry
        /// It might have been committed: try again only if it is idempotent.
        case retryOutcomeUnknown
        /// The same call will fail again, or the caller no longer wants it.
        case doNotRetry
    }

    public var advice: Advice {
        guard isTransient else { return .doNotRetry }
        return isOutcomeUnknown ? .retryOutcomeUnknown : .retry
    }

    private var isTransient: Bool {
        switch reason {
        case .connectionLost, .deadlineExceeded, .poolExhausted: true
        case .connectFailed: blame == .store
        case .server: [.store, .conflict].contains(blame) || report?.isStalePlan == true
        case .cancelled, .poolClosed, .decoding, .transactionFailed, .wrongUse, .setUp: false
        }
    }

    /// Whether the cause is the store, not the statement: it is unreachable, overloaded, full or shutting down. Any other
    /// statement sent now would most likely fail, too.
    public var isStoreAway: Bool {
        switch reason {
        case .connectFailed, .connectionLost, .deadlineExceeded, .poolExhausted: true
        case .server: blame == .store || isOfClosedWorker
        case .cancelled, .poolClosed, .decoding, .transactionFailed, .wrongUse, .setUp: false
        }
    }

    private var isOfClosedWorker: Bool { report?.isOfClosedWorker == true }

    /// Whether the data can never be stored: bad encoding, out of range, a violated check constraint, nested too deeply.
    public var isDataError: Bool { blame == .data }

    /// Who must act on it.
    public var blame: Blame {
        switch reason {
        case .server where isOfClosedWorker: .setUp
        case .server(let state): report?.isOfLostWorker == true ? .store : state.blame
        // A server that can't be reached for any other reason might be reachable a moment later.
        // An unknown or invalid parameter (PGOPTIONS, PGTZ) stays one.
        case .connectFailed: sqlState?.blame == .setUp || ["22", "42"].contains(sqlState?.class) ? .setUp : .store
        case .connectionLost, .deadlineExceeded, .poolExhausted, .cancelled: .store
        case .setUp: .setUp
        case .poolClosed, .decoding, .transactionFailed, .wrongUse: .program
        }
    }
}
