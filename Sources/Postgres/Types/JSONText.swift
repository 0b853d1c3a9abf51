/// The text of a JSON value, sent as `jsonb` and read from `jsonb` or `json`.
///
/// The server validates it, and returns `jsonb` in its own normal form: other spacing, sorted keys, no duplicate keys.
public struct JSONText: Hashable, Sendable {
    public var text: String

    public init(_ text: String) {
        self.text = text
    }
}

extension JSONText: PostgresCodable {
    public static var postgresType: PostgresType { .jsonb }

    public static func accepts(_ type: PostgresType) -> Bool { type == .jsonb || type == .json }

    /// The version number at the start of jsonb's binary format; there is only one. No JSON text begins with this byte.
    @usableFromInline static let version: UInt8 = 1

    @inlinable public func encode(into buffer: inout [UInt8]) {
        buffer.append(Self.version)
        buffer.append(contentsOf: text.utf8)
    }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        let isVersioned = bytes.first == Self.version
        self.init(try String(postgresBinary: UnsafeRawBufferPointer(rebasing: bytes.dropFirst(isVersioned ? 1 : 0))))
    }
}
