/// A value that is part of a checkpoint. Reading what was written gives an equal value.
protocol Checkpointed {
    func write(to writer: inout ByteWriter)
    init(from reader: inout ByteReader) throws(ByteReader.Malformed)
}

extension Int: Checkpointed {
    func write(to writer: inout ByteWriter) { writer.write(Int64(self)) }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) { self = Int(try reader.readSigned()) }
}

extension Int64: Checkpointed {
    func write(to writer: inout ByteWriter) { writer.write(self) }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) { self = try reader.readSigned() }
}

extension Bool: Checkpointed {
    func write(to writer: inout ByteWriter) { writer.write(UInt64(self ? 1 : 0)) }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) { self = try reader.readNumber() == 1 }
}

extension String: Checkpointed {
    func write(to writer: inout ByteWriter) { writer.write(self) }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) { self = try reader.readText() }
}

extension Text: Checkpointed {
    func write(to writer: inout ByteWriter) { writer.write(text) }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) { self.init(try reader.readText()) }
}

extension Timestamp: Checkpointed {
    func write(to writer: inout ByteWriter) { writer.write(microseconds) }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(microseconds: try reader.readSigned())
    }
}

extension Pseudonym: Checkpointed {
    func write(to writer: inout ByteWriter) {
        writer.write(high)
        writer.write(low)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(high: try reader.readNumber(), low: try reader.readNumber())
    }
}

extension Optional: Checkpointed where Wrapped: Checkpointed {
    func write(to writer: inout ByteWriter) {
        (self != nil).write(to: &writer)
        self?.write(to: &writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self = try Bool(from: &reader) ? .some(try Wrapped(from: &reader)) : .none
    }
}

extension Array: Checkpointed where Element: Checkpointed {
    func write(to writer: inout ByteWriter) {
        count.write(to: &writer)
        for element in self { element.write(to: &writer) }
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init()
        for _ in 0..<(try reader.readCount()) { append(try Element(from: &reader)) }
    }
}

// Sorted, so that equal states have equal bytes.
extension Set: Checkpointed where Element: Checkpointed & Comparable {
    func write(to writer: inout ByteWriter) { sorted().write(to: &writer) }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init(try [Element](from: &reader))
    }
}

extension Dictionary: Checkpointed where Key: Checkpointed & Comparable, Value: Checkpointed {
    func write(to writer: inout ByteWriter) {
        count.write(to: &writer)
        for (key, value) in sorted(by: { $0.key < $1.key }) {
            key.write(to: &writer)
            value.write(to: &writer)
        }
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init()
        for _ in 0..<(try reader.readCount()) {
            let key = try Key(from: &reader)
            self[key] = try Value(from: &reader)
        }
    }
}

/// A value that is read into an empty one, so that a single list of its fields serves for writing and reading.
protocol CheckpointedByField: Checkpointed {
    init()
    /// Visits the fields in the order of writing.
    mutating func visitFields(_ visitor: inout some FieldVisitor) throws(ByteReader.Malformed)
}

extension CheckpointedByField {
    func write(to writer: inout ByteWriter) {
        var copy = self
        // Writing never throws.
        try? copy.visitFields(&writer)
    }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        self.init()
        try visitFields(&reader)
    }
}

protocol FieldVisitor {
    mutating func visit(_ field: inout some Checkpointed) throws(ByteReader.Malformed)
}

extension ByteWriter: FieldVisitor {
    mutating func visit(_ field: inout some Checkpointed) { field.write(to: &self) }
}

extension ByteReader: FieldVisitor {
    mutating func visit<Field: Checkpointed>(_ field: inout Field) throws(Malformed) { field = try Field(from: &self) }
}

/// Enumerations are written by name, because their order can change.
protocol CheckpointedByName: Checkpointed, RawRepresentable where RawValue == String {}

extension CheckpointedByName {
    func write(to writer: inout ByteWriter) { writer.write(rawValue) }
    init(from reader: inout ByteReader) throws(ByteReader.Malformed) {
        guard let value = Self(rawValue: try reader.readText()) else { throw ByteReader.Malformed() }
        self = value
    }
}

extension Surface: CheckpointedByName {}
extension Platform: CheckpointedByName {}
extension Rule: CheckpointedByName {}
extension Cause: CheckpointedByName {}
