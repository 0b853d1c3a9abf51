/// Why a value from the server could not become a Swift value; names types and places, never the data.
public struct PostgresDecodingError: Error, Hashable, Sendable {
    public enum Problem: Hashable, Sendable {
        /// The column is NULL, or an element of the array is, and the Swift type has no place for that.
        case unexpectedNull
        /// The column's type is not one that the Swift type accepts.
        case wrongType
        /// The payload has this many bytes, which no value of the expected type has.
        case wrongLength(Int)
        /// The payload is malformed, or out of the Swift type's range.
        case invalid(String)
        case noSuchColumn
    }

    public var problem: Problem
    /// Filled in by ``Row``: the type asked for, the type received, and the column's name.
    public var expected: PostgresType?
    public var found: PostgresType?
    public var column: String?

    init(_ problem: Problem, expected: PostgresType? = nil, found: PostgresType? = nil, column: String? = nil) {
        self.problem = problem
        self.expected = expected
        self.found = found
        self.column = column
    }

    public static func wrongLength(_ count: Int) -> PostgresDecodingError {
        PostgresDecodingError(.wrongLength(count))
    }

    /// The reason is a literal, so that no data can slip into it.
    public static func invalid(_ reason: StaticString) -> PostgresDecodingError {
        PostgresDecodingError(.invalid(reason.description))
    }
}

extension PostgresDecodingError: CustomStringConvertible {
    public var description: String {
        let place = column.map { "column \"\($0)\"" } ?? "value"
        let type = expected.map { " as \($0)" } ?? ""
        switch problem {
        case .unexpectedNull: return "\(place) is NULL, read\(type)"
        case .wrongType: return "\(place) is of \(found?.description ?? "another type"), read\(type)"
        case .wrongLength(let count): return "\(place) has \(count) bytes, read\(type)"
        case .invalid(let reason): return "\(place)\(type.isEmpty ? "" : ", read")\(type): \(reason)"
        case .noSuchColumn: return "there is no \(place)"
        }
    }
}
