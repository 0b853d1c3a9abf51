extension CopyRows {
    /// Takes the values of one row, from the first column to the last.
    public struct Row: ~Copyable {
        @usableFromInline var bytes: [UInt8] = []
        @usableFromInline var count = 0

        @inlinable public mutating func value(_ value: some PostgresCodable) {
            bytes.appendValue(value)
            count += 1
        }

        /// Nil is NULL.
        @inlinable public mutating func value(_ value: (some PostgresCodable)?) {
            if let value {
                self.value(value)
            } else {
                null()
            }
        }

        @inlinable public mutating func null() {
            Int32(-1).appendBigEndian(to: &bytes)
            count += 1
        }

        public mutating func values(_ values: Values) {
            bytes.append(contentsOf: values.bytes)
            count += values.count
        }
    }

    /// Values of successive columns, encoded once for many rows.
    public struct Values: Sendable {
        let bytes: [UInt8]
        let count: Int

        public init(_ body: (inout Row) -> Void) {
            var row = Row()
            body(&row)
            bytes = row.bytes
            count = row.count
        }
    }
}
