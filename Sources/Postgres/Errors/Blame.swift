/// Who must act on an error.
public enum Blame: Hashable, Sendable {
    /// Nobody: the server is away, full, busy or read-only, and the same call can succeed later.
    case store
    /// Nobody: another transaction interfered, and the same call can succeed at once.
    case conflict
    /// The sender: this data can never be stored.
    case data
    /// The server's administrator: a privilege, password or database is missing, or files are damaged.
    case setUp
    /// The authors: a bug in this program, or a schema that it doesn't know.
    case program
}

extension SQLState {
    /// Who must act on an error with this code. This is the only mapping; PostgreSQL's manual, appendix A, lists the codes.
    public var blame: Blame { SQLState.blameByCode[self] ?? SQLState.blameByClass[self.class] ?? .program }

    private static let blameByClass: [String: Blame] = [
        // Connections; resources; errors outside PostgreSQL, such as disk errors.
        "08": .store, "53": .store, "58": .store,
        "40": .conflict,
        // Authorization; roles; databases.
        "0P": .setUp, "28": .setUp, "3D": .setUp,
    ]

    private static let blameByCode: [SQLState: Blame] = [
        .lockNotAvailable: .store, .queryCanceled: .store, .adminShutdown: .store, .crashShutdown: .store,
        .cannotConnectNow: .store,
        // idle_session_timeout
        SQLState(rawValue: "57P05"): .store,
        // A standby, or a primary that was set to read-only.
        .readOnlyTransaction: .store,
        // Our process was stopped for longer than a transaction is allowed to idle, or to run (17 and newer).
        .idleInTransactionSessionTimeout: .store, SQLState(rawValue: "25P04"): .store,
        .characterNotInRepertoire: .data, .invalidTextRepresentation: .data, .untranslatableCharacter: .data,
        .numericValueOutOfRange: .data, .datetimeFieldOverflow: .data, .checkViolation: .data,
        .statementTooComplex: .data,
        .insufficientPrivilege: .setUp,
        // The database was dropped.
        SQLState(rawValue: "57P04"): .setUp,
        // Damaged data; a damaged index.
        SQLState(rawValue: "XX001"): .setUp, SQLState(rawValue: "XX002"): .setUp,
    ]
}
