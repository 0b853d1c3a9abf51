/// Reads every string type and `json`. PostgreSQL has no U+0000 in text: such a parameter is refused with 22021.
extension String: PostgresCodable {
    public static var postgresType: PostgresType { .text }

    public static func accepts(_ type: PostgresType) -> Bool {
        switch type {
        case .text, .varchar, .bpchar, .name, .unknown, .json: true
        default: false
        }
    }

    @inlinable public func encode(into buffer: inout [UInt8]) { buffer.append(contentsOf: utf8) }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        guard let string = String(validating: bytes, as: UTF8.self) else { throw .invalid("not UTF-8") }
        self = string
    }
}
