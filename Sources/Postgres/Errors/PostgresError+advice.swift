extension PostgresError {
    /// Whether the same call can succeed later.
    public enum Advice: Hashable, Sendable {
        /// Nothing was done: try again, after a pause.
        case retry
        /// It may have been committed: try again only what can be done twice.
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

    /// Whether the trouble is the store's, not the statement's: it is unreachable, overloaded, full, or shutting down.
    /// Another statement sent now would most likely fail as well.
    public var isStoreAway: Bool {
        switch reason {
        case .connectFailed, .connectionLost, .deadlineExceeded, .poolExhausted: true
        case .server: blame == .store || isOfClosedWorker
        case .cancelled, .poolClosed, .decoding, .transactionFailed, .wrongUse, .setUp: false
        }
    }

    private var isOfClosedWorker: Bool { report?.isOfClosedWorker == true }

    /// Whether the data itself can never be stored: encodings, ranges, check constraints, nesting too deep.
    public var isDataError: Bool { blame == .data }

    /// Who has to do something about it.
    public var blame: Blame {
        switch reason {
        case .server where isOfClosedWorker: .setUp
        case .server(let state): report?.isOfLostWorker == true ? .store : state.blame
        // Whatever else it says, the server may have changed its mind in a moment.
        case .connectFailed: sqlState?.blame == .setUp ? .setUp : .store
        case .connectionLost, .deadlineExceeded, .poolExhausted, .cancelled: .store
        case .setUp: .setUp
        case .poolClosed, .decoding, .transactionFailed, .wrongUse: .program
        }
    }
}
