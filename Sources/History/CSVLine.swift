/// A line of CSV (RFC 4180). A field can't have a line end, because a record is one line.
package enum CSVLine {
    package static func fields(of line: [UInt8]) -> [String] {
        var fields: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var bytes = (line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...])
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "\"") where isQuoted && bytes.first == UInt8(ascii: "\""):
                field.append(byte)
                bytes.removeFirst()
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted:
                fields.append(String(decoding: field, as: UTF8.self))
                field = []
            default: field.append(byte)
            }
        }
        return fields + [String(decoding: field, as: UTF8.self)]
    }
}
