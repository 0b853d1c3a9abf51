/// Who has to do something about an error.
public enum Blame: Hashable, Sendable {
    /// The server is away, full, busy or read-only: the same call may succeed later by itself.
    case store
    /// Another transaction interfered: the same call may succeed at once.
    case conflict
    /// What was to be stored can never be.
    case data
    /// A person who runs the server: a right, a password or a database is missing, or its files are damaged.
    case setUp
    /// This program, or a schema that is not the one it knows.
    case program
}

extension SQLState {
    /// Who is at fault, by PostgreSQL's manual, appendix A: the only table of this.
    public var blame: Blame { SQLState.blameByCode[self] ?? SQLState.blameByClass[self.class] ?? .program }

    private static let blameByClass: [String: Blame] = [
        // Connections; resources; errors outside of PostgreSQL, such as of the disk.
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
        // A standby, or a primary that was told to take nothing.
        .readOnlyTransaction: .store,
        // We were stopped for longer than a transaction may wait for us, or longer than one may last (17 and newer).
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
