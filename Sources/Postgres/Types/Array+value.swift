extension [UInt8] {
    /// Appends a value behind the length of its payload, the way it stands in arrays and COPY tuples.
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
