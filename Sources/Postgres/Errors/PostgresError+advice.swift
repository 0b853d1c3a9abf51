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
        switch kind {
        case .connectionLost, .deadlineExceeded, .poolExhausted: true
        case .connectFailed: sqlState.map { !["28", "3D"].contains($0.class) } ?? true
        case .server(let state): state.class == "40" || state.isStoreAway || report?.isStalePlan == true
        case .cancelled, .poolClosed, .decoding, .transactionFailed, .wrongUse: false
        }
    }

    /// Whether the trouble is the store's, not the statement's: it is unreachable, overloaded, full, or shutting down.
    /// Another statement sent now would most likely fail as well.
    public var isStoreAway: Bool {
        switch kind {
        case .connectFailed, .connectionLost, .deadlineExceeded, .poolExhausted: true
        case .server(let state): state.isStoreAway
        case .cancelled, .poolClosed, .decoding, .transactionFailed, .wrongUse: false
        }
    }

    /// Whether the data itself can never be stored: encodings, ranges, check constraints, nesting too deep.
    public var isDataError: Bool {
        guard case .server(let state) = kind else { return false }
        let codes: [SQLState] = [
            .characterNotInRepertoire, .invalidTextRepresentation, .untranslatableCharacter, .numericValueOutOfRange,
            .datetimeFieldOverflow, .checkViolation, .statementTooComplex,
        ]
        return codes.contains(state)
    }
}

extension SQLState {
    fileprivate var isStoreAway: Bool {
        let codes: [SQLState] = [
            .lockNotAvailable, .queryCanceled, .adminShutdown, .crashShutdown, .cannotConnectNow, .readOnlyTransaction,
            // We were stopped for longer than a transaction may wait for us.
            .idleInTransactionSessionTimeout,
        ]
        return self.class == "08" || self.class == "53" || codes.contains(self)
    }
}
