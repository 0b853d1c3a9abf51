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
    }
}
