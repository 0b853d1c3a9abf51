internal import Postgres

/// One column of many rows, as an encoded array parameter. Values may be NULL.
struct Column<Element: PostgresCodable>: PostgresCodable {
    private(set) var count: Int32 = 0
    private var hasNull = false
    /// Each element as arrays and COPY rows hold it: its length, then its bytes.
    private var elements: [UInt8] = []

    init() {}

    /// - Parameter elements: encoded as in COPY rows.
    init(elements: [UInt8]) {
        elements.withUnsafeBytes { bytes in
            var position = 0
            while position < bytes.count {
                let length = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: Int32.self))
                if length < 0 { hasNull = true }
                position += 4 + Int(max(length, 0))
                count += 1
            }
        }
        self.elements = elements
    }

    mutating func append(_ value: Element) {
        count += 1
        let start = elements.count
        Int32(0).encode(into: &elements)
        value.encode(into: &elements)
        let length = UInt32(elements.count - start - 4)
        elements[start] = UInt8(truncatingIfNeeded: length >> 24)
        elements[start + 1] = UInt8(truncatingIfNeeded: length >> 16)
        elements[start + 2] = UInt8(truncatingIfNeeded: length >> 8)
        elements[start + 3] = UInt8(truncatingIfNeeded: length)
    }

    mutating func append(_ value: Element?) {
        guard let value else {
            count += 1
            hasNull = true
            elements.append(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF])
            return
        }
        append(value)
    }

    static var postgresType: PostgresType { Element.postgresType.arrayType ?? .unknown }

    /// PostgreSQL's array_recv: dimensions, flag, element type, length, lower bound, elements.
    func encode(into buffer: inout [UInt8]) {
        Int32(count == 0 ? 0 : 1).encode(into: &buffer)
        Int32(hasNull ? 1 : 0).encode(into: &buffer)
        Int32(bitPattern: Element.postgresType.rawValue).encode(into: &buffer)
        guard count > 0 else { return }
        count.encode(into: &buffer)
        Int32(1).encode(into: &buffer)
        buffer.append(contentsOf: elements)
    }

    /// Columns are only sent, never read.
    init(postgresBinary bytes: UnsafeRawBufferPointer) throws(PostgresDecodingError) {
        throw .invalid("a column is not read back")
    }
}
