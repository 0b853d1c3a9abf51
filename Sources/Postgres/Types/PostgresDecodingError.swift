/// Why a value from the server can't be converted to a Swift value. It names types and columns, never data.
public struct PostgresDecodingError: Error, Hashable, Sendable {
    public enum Problem: Hashable, Sendable {
        /// The column or an array element is NULL, but the Swift type is not optional.
        case unexpectedNull
        /// The Swift type doesn't accept the column's type.
        case wrongType
        /// The payload has this many bytes, which is impossible for the expected type.
        case wrongLength(Int)
        /// The payload is malformed, or outside the Swift type's range.
        case invalid(String)
        case noSuchColumn
    }

    public var problem: Problem
    /// The expected type, the actual type, and the column's name. ``Row`` sets them.
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

    /// The reason must be a literal, so that it can't contain data.
    public static func invalid(_ reason: StaticString) -> PostgresDecodingError {
        PostgresDecodingError(.invalid(reason.description))
    }
}

extension PostgresDecodingError: CustomStringConvertible {
    public var description: String {
        let place = column.map { "column \"\($0)\"" } ?? "value"
        let type = expected.map { ", expected \($0)" } ?? ""
        switch problem {
        case .unexpectedNull: return "\(place) is NULL\(type)"
        case .wrongType: return "\(place) is \(found?.description ?? "of another type")\(type)"
        case .wrongLength(let count): return "\(place) has \(count) bytes\(type)"
        case .invalid(let reason): return "\(place)\(type): \(reason)"
        case .noSuchColumn: return "there is no \(place)"
        }
    }
}
