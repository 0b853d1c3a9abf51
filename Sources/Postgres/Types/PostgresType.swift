/// The object id of a PostgreSQL type (`pg_type.oid`).
///
/// The constants are built-in types, whose ids are the same on all servers. Types made by `CREATE TYPE` have a different id in
/// each database; cast them in SQL to one of these.
public struct PostgresType: RawRepresentable, Hashable, Sendable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public static let bool = PostgresType(rawValue: 16)
    public static let bytea = PostgresType(rawValue: 17)
    public static let name = PostgresType(rawValue: 19)
    public static let int8 = PostgresType(rawValue: 20)
    public static let int2 = PostgresType(rawValue: 21)
    public static let int4 = PostgresType(rawValue: 23)
    public static let text = PostgresType(rawValue: 25)
    public static let oid = PostgresType(rawValue: 26)
    public static let json = PostgresType(rawValue: 114)
    public static let float4 = PostgresType(rawValue: 700)
    public static let float8 = PostgresType(rawValue: 701)
    /// A parameter of this type gets the type that the server infers.
    public static let unknown = PostgresType(rawValue: 705)
    public static let bpchar = PostgresType(rawValue: 1042)
    public static let varchar = PostgresType(rawValue: 1043)
    public static let date = PostgresType(rawValue: 1082)
    public static let time = PostgresType(rawValue: 1083)
    public static let timestamp = PostgresType(rawValue: 1114)
    public static let timestamptz = PostgresType(rawValue: 1184)
    public static let interval = PostgresType(rawValue: 1186)
    public static let numeric = PostgresType(rawValue: 1700)
    public static let void = PostgresType(rawValue: 2278)
    public static let uuid = PostgresType(rawValue: 2950)
    public static let jsonb = PostgresType(rawValue: 3802)
}

extension PostgresType {
    /// The type of an array with elements of this type; nil if this is an array itself, or not a known type.
    public var arrayType: PostgresType? {
        Self.known[self]?.array.map(PostgresType.init(rawValue:))
    }

    /// The type of this array's elements; nil if this is not an array of a known type.
    public var elementType: PostgresType? { Self.elements[self] }

    /// The names of the types above, with the ids of their array types.
    private static let known: [PostgresType: (name: String, array: UInt32?)] = [
        .bool: ("bool", 1000), .bytea: ("bytea", 1001), .name: ("name", 1003), .int8: ("int8", 1016),
        .int2: ("int2", 1005), .int4: ("int4", 1007), .text: ("text", 1009), .oid: ("oid", 1028),
        .json: ("json", 199), .float4: ("float4", 1021), .float8: ("float8", 1022), .unknown: ("unknown", nil),
        .bpchar: ("bpchar", 1014), .varchar: ("varchar", 1015), .date: ("date", 1182), .time: ("time", 1183),
        .timestamp: ("timestamp", 1115), .timestamptz: ("timestamptz", 1185), .interval: ("interval", 1187),
        .numeric: ("numeric", 1231), .void: ("void", nil), .uuid: ("uuid", 2951), .jsonb: ("jsonb", 3807),
    ]

    private static let elements: [PostgresType: PostgresType] = Dictionary(
        known.compactMap { type, entry in entry.array.map { (PostgresType(rawValue: $0), type) } },
        uniquingKeysWith: { first, _ in first })
}

extension PostgresType: CustomStringConvertible {
    /// PostgreSQL's short name, such as `int8` or `text[]`; `type 12345` if it is not one of the constants.
    public var description: String {
        if let entry = Self.known[self] { return entry.name }
        if let element = Self.elements[self] { return "\(element)[]" }
        return "type \(rawValue)"
    }
}
