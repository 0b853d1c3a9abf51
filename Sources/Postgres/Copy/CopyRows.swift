/// Rows already encoded for `COPY … FROM STDIN (FORMAT binary)`.
///
/// COPY doesn't convert types: each value must have exactly its column's type, such as `Int32` for an `int4`, and each row must
/// have one value per column that the COPY names. The server rejects the whole statement if anything doesn't match.
///
/// ```swift
/// var rows = CopyRows(columns: 2)
/// rows.append { row in
///     row.value(id)
///     row.value(note)  // a String?
/// }
/// ```
public struct CopyRows: Sendable {
    public let columns: Int
    public private(set) var count = 0
    /// The encoded rows, without the header and trailer that ``Connection`` adds.
    package private(set) var bytes: [UInt8] = []
    /// The number of values in the first row whose width was not ``columns``.
    private(set) var wrongWidth: Int?

    /// - Parameter reservingBytes: capacity reserved in advance, to avoid copying as the rows grow.
    public init(columns: Int, reservingBytes: Int = 0) {
        self.columns = columns
        bytes.reserveCapacity(reservingBytes)
    }

    /// Rows encoded earlier, from their `bytes` and `count`.
    ///
    /// - Returns: nil if the bytes are not that many rows of that many columns.
    package init?(columns: Int, count: Int, bytes: [UInt8]) {
        self.columns = columns
        self.count = count
        self.bytes = bytes
        var found = 0
        let isWhole = eachValue { column, _ in found += column == 0 ? 1 : 0 }
        guard isWhole, found == count else { return nil }
    }

    /// The values of many rows by column, each encoded as in an array parameter: its length, then its bytes.
    package static func columns(of rows: [CopyRows], count: Int) -> [[UInt8]] {
        var columns = [[UInt8]](repeating: [], count: count)
        for rows in rows { _ = rows.eachValue { columns[$0].append(contentsOf: $1) } }
        return columns
    }

    /// The same rows, with NULLs appended.
    package func widened(to width: Int) -> CopyRows {
        guard width > columns else { return self }
        var rows = CopyRows(columns: width, reservingBytes: bytes.count + 4 * (width - columns) * count)
        _ = eachValue { column, value in
            if column == 0 { Int16(truncatingIfNeeded: width).appendBigEndian(to: &rows.bytes) }
            rows.bytes.append(contentsOf: value)
            guard column == columns - 1 else { return }
            for _ in columns..<width { Int32(-1).appendBigEndian(to: &rows.bytes) }
            rows.count += 1
        }
        return rows
    }

    /// Calls the body with the column and bytes of each value, including its length word.
    ///
    /// - Returns: false if the bytes end within a row, or a row has another width.
    private func eachValue(_ body: (Int, UnsafeRawBufferPointer) -> Void) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var position = 0
            while position < bytes.count {
                guard position + 2 <= bytes.count else { return false }
                let width = Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int16.self))
                guard width == columns else { return false }
                position += 2
                for column in 0..<columns {
                    guard position + 4 <= bytes.count else { return false }
                    let length = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self))
                    let end = position + 4 + Int(max(length, 0))
                    guard length >= -1, end <= bytes.count else { return false }
                    body(column, UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
                    position = end
                }
            }
            return true
        }
    }

    public var byteCount: Int { bytes.count }
    public var isEmpty: Bool { count == 0 }

    /// Adds one row. The body appends its values, from the first column to the last.
    public mutating func append<Failure: Error>(_ body: (inout Row) throws(Failure) -> Void) throws(Failure) {
        let start = bytes.count
        var row = Row()
        // Swapping moves the buffer into the row and back without copying it.
        swap(&bytes, &row.bytes)
        defer { swap(&bytes, &row.bytes) }
        Int16(truncatingIfNeeded: columns).appendBigEndian(to: &row.bytes)
        do throws(Failure) {
            try body(&row)
        } catch {
            row.bytes.removeSubrange(start...)
            throw error
        }
        if row.count != columns, wrongWidth == nil { wrongWidth = row.count }
        count += 1
    }

    public mutating func removeAll(keepingCapacity: Bool = false) {
        bytes.removeAll(keepingCapacity: keepingCapacity)
        count = 0
        wrongWidth = nil
    }
}

extension CopyRows {
    /// Collects the values of one row, from the first column to the last.
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

/// The frame around binary COPY rows (PostgreSQL manual, COPY, "Binary Format").
enum CopyFormat {
    /// The signature, no flags, no header extension.
    static let header: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)

    /// A row of -1 columns.
    static let trailer: [UInt8] = [0xFF, 0xFF]

    /// How many bytes to give libpq at once: large enough to be cheap, small enough to keep libpq's buffer small and to notice
    /// a cancelled task between two pieces.
    static let pieceSize = 256 * 1024
}
