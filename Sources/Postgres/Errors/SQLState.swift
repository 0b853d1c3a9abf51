/// A five-character SQLSTATE (PostgreSQL manual, appendix A).
public struct SQLState: RawRepresentable, Hashable, Sendable {
    public var rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The first two characters, the class of the error: "23" is a violated constraint, "08" a connection error.
    public var `class`: String { String(rawValue.prefix(2)) }

    public static let featureNotSupported = SQLState(rawValue: "0A000")
    public static let dependentObjects = SQLState(rawValue: "2BP01")
    public static let numericValueOutOfRange = SQLState(rawValue: "22003")
    public static let datetimeFieldOverflow = SQLState(rawValue: "22008")
    public static let characterNotInRepertoire = SQLState(rawValue: "22021")
    public static let invalidParameterValue = SQLState(rawValue: "22023")
    public static let invalidTextRepresentation = SQLState(rawValue: "22P02")
    public static let invalidBinaryRepresentation = SQLState(rawValue: "22P03")
    public static let badCopyFileFormat = SQLState(rawValue: "22P04")
    public static let untranslatableCharacter = SQLState(rawValue: "22P05")
    public static let uniqueViolation = SQLState(rawValue: "23505")
    public static let checkViolation = SQLState(rawValue: "23514")
    public static let readOnlyTransaction = SQLState(rawValue: "25006")
    public static let invalidStatementName = SQLState(rawValue: "26000")
    public static let invalidCatalogName = SQLState(rawValue: "3D000")
    public static let serializationFailure = SQLState(rawValue: "40001")
    public static let deadlockDetected = SQLState(rawValue: "40P01")
    public static let insufficientPrivilege = SQLState(rawValue: "42501")
    public static let duplicateObject = SQLState(rawValue: "42710")
    public static let undefinedTable = SQLState(rawValue: "42P01")
    public static let diskFull = SQLState(rawValue: "53100")
    public static let tooManyConnections = SQLState(rawValue: "53300")
    public static let statementTooComplex = SQLState(rawValue: "54001")
    public static let lockNotAvailable = SQLState(rawValue: "55P03")
    public static let queryCanceled = SQLState(rawValue: "57014")
    public static let idleInTransactionSessionTimeout = SQLState(rawValue: "25P03")
    public static let adminShutdown = SQLState(rawValue: "57P01")
    public static let crashShutdown = SQLState(rawValue: "57P02")
    public static let cannotConnectNow = SQLState(rawValue: "57P03")
    public static let internalError = SQLState(rawValue: "XX000")
}

extension SQLState: CustomStringConvertible {
    public var description: String { rawValue }
}
