/// A one-dimensional array, such as `int8[]`. Arrays with NULLs or several dimensions can't be read.
extension Array: PostgresCodable where Element: PostgresCodable {
    public static var postgresType: PostgresType { Element.postgresType.arrayType ?? .unknown }

    /// Accepts any type if the element's type is unknown here. The element type in the payload is checked instead.
    public static func accepts(_ type: PostgresType) -> Bool {
        postgresType == .unknown || type == postgresType || type.elementType.map(Element.accepts) ?? false
    }

    public func encode(into buffer: inout [UInt8]) {
        Int32(isEmpty ? 0 : 1).appendBigEndian(to: &buffer)  // dimensions
        Int32(0).appendBigEndian(to: &buffer)  // no NULLs
        Element.postgresType.rawValue.appendBigEndian(to: &buffer)
        guard !isEmpty else { return }
        Int32(count).appendBigEndian(to: &buffer)
        Int32(1).appendBigEndian(to: &buffer)  // lower bound
        for element in self { buffer.appendValue(element) }
    }

    public init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        var rest = bytes[...]
        let dimensions = try rest.takeInt32()
        _ = try rest.takeInt32()
        let elementType = PostgresType(rawValue: UInt32(bitPattern: try rest.takeInt32()))
        self.init()
        guard dimensions > 0 else { return }
        guard Element.accepts(elementType) else { throw PostgresDecodingError(.wrongType, found: elementType) }
        guard dimensions == 1 else { throw .invalid("an array of several dimensions") }
        let count = Int(try rest.takeInt32())
        _ = try rest.takeInt32()
        reserveCapacity(Swift.min(count, rest.count / 4))
        for _ in 0..<Swift.max(count, 0) {
            let length = Int(try rest.takeInt32())
            guard length >= 0 else { throw PostgresDecodingError(.unexpectedNull) }
            guard length <= rest.count else { throw .invalid("an array cut short") }
            append(try Element(postgresBinary: UnsafeRawBufferPointer(rebasing: rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate mutating func takeInt32() throws(PostgresDecodingError) -> Int32 {
        guard count >= 4 else { throw .invalid("an array cut short") }
        defer { self = dropFirst(4) }
        return Int32(bigEndian: UnsafeRawBufferPointer(rebasing: self).loadUnaligned(as: Int32.self))
    }
}

extension [UInt8] {
    /// Appends a value, preceded by the length of its payload, as in arrays and COPY tuples.
    @inlinable mutating func appendValue(_ value: some PostgresCodable) {
        let start = count
        UInt32(0).appendBigEndian(to: &self)
        value.encode(into: &self)
        let length = UInt32(truncatingIfNeeded: count - start - 4)
        self[start] = UInt8(truncatingIfNeeded: length >> 24)
        self[start + 1] = UInt8(truncatingIfNeeded: length >> 16)
        self[start + 2] = UInt8(truncatingIfNeeded: length >> 8)
        self[start + 3] = UInt8(truncatingIfNeeded: length)
    }
}
