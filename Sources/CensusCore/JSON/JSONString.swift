/// Reads and writes JSON strings.
enum JSONString {
    /// The first byte that is not valid UTF-8; nil if there is none.
    static func firstInvalidByte(in bytes: [UInt8]) -> Int? {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes.span)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }

    /// The length of the escape at `position`, where a surrogate pair counts as one; nil if it is invalid.
    static func escapeLength(in bytes: [UInt8], at position: Int) -> Int? {
        guard position + 1 < bytes.count else { return nil }
        switch bytes[position + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return 2
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(in: bytes, at: position + 2) else { return nil }
            if UTF16.isTrailSurrogate(unit) { return nil }
            if !UTF16.isLeadSurrogate(unit) { return 6 }
            guard position + 7 < bytes.count, bytes[position + 6] == UInt8(ascii: "\\"),
                bytes[position + 7] == UInt8(ascii: "u"), let trail = codeUnit(in: bytes, at: position + 8),
                UTF16.isTrailSurrogate(trail)
            else { return nil }
            return 12
        default:
            return nil
        }
    }

    /// The length of an escape that is half of a surrogate pair; nil if it is not one.
    static func halfSurrogateLength(in bytes: [UInt8], at position: Int) -> Int? {
        guard position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u"),
            let unit = codeUnit(in: bytes, at: position + 2), UTF16.isSurrogate(unit)
        else { return nil }
        return 6
    }

    /// Resolves escapes that ``escapeLength(in:at:)`` found valid.
    static func unescaped(_ raw: ArraySlice<UInt8>) -> String {
        var resolved: [UInt8] = []
        resolved.reserveCapacity(raw.count)
        let bytes = Array(raw)
        _ = unescape(bytes, bytes.indices, atMost: .max, into: &resolved)
        return String(decoding: resolved, as: UTF8.self)
    }

    /// Resolves the escapes in a range of bytes, like ``unescaped(_:)``, up to a limit of output.
    ///
    /// - Returns: whether the output is complete.
    static func unescape(
        _ bytes: [UInt8], _ range: Range<Int>, atMost limit: Int, into output: inout [UInt8]
    ) -> Bool {
        output.removeAll(keepingCapacity: true)
        var position = range.lowerBound
        while position < range.upperBound {
            guard output.count < limit else { return false }
            guard bytes[position] == UInt8(ascii: "\\"), let length = escapeLength(in: bytes, at: position) else {
                output.append(bytes[position])
                position += 1
                continue
            }
            switch bytes[position + 1] {
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            case UInt8(ascii: "u"):
                if let units = UTF8.encode(scalar(in: bytes, at: position, length)) { output.append(contentsOf: units) }
            case let plain: output.append(plain)
            }
            position += length
        }
        return output.count <= limit
    }

    /// The scalar of an escape of one or two code units.
    private static func scalar(in bytes: [UInt8], at position: Int, _ length: Int) -> Unicode.Scalar {
        let first = codeUnit(in: bytes, at: position + 2) ?? 0
        guard length == 12, let second = codeUnit(in: bytes, at: position + 8) else {
            return Unicode.Scalar(UInt32(first)) ?? "\u{FFFD}"
        }
        return Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00)) ?? "\u{FFFD}"
    }

    /// Appends a string in double quotes.
    static func write(_ string: String, to output: inout [UInt8]) {
        var string = string
        string.withUTF8 { bytes in
            output.append(UInt8(ascii: "\""))
            if bytes.contains(where: needsEscape) {
                for byte in bytes { writeEscaped(byte, to: &output) }
            } else {
                output.append(contentsOf: bytes)
            }
            output.append(UInt8(ascii: "\""))
        }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func writeEscaped(_ byte: UInt8, to output: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            output.append(UInt8(ascii: "\\"))
            output.append(byte)
        case 0..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            output.append(contentsOf: "\\u00".utf8)
            output.append(digits[Int(byte >> 4)])
            output.append(digits[Int(byte & 15)])
        default: output.append(byte)
        }
    }

    private static func codeUnit(in bytes: [UInt8], at position: Int) -> UInt16? {
        guard position + 4 <= bytes.count else { return nil }
        var value: UInt16 = 0
        for byte in bytes[position..<position + 4] {
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt16(byte - 0x30)
            case 0x41...0x46: value = value << 4 | UInt16(byte - 0x41 + 10)
            case 0x61...0x66: value = value << 4 | UInt16(byte - 0x61 + 10)
            default: return nil
            }
        }
        return value
    }
}

/// RFC 6901.
enum JSONPointer {
    /// The keys and indexes of a pointer. By bytes, like ``escaped(_:)``.
    static func parts(of pointer: String) -> [String] {
        pointer.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst().map { part in
            var (name, isEscape): ([UInt8], Bool) = ([], false)
            for byte in part {
                if isEscape {
                    name[name.count - 1] = UInt8(ascii: byte == UInt8(ascii: "1") ? "/" : "~")
                } else {
                    name.append(byte)
                }
                isEscape = !isEscape && byte == UInt8(ascii: "~")
            }
            return String(decoding: name, as: UTF8.self)
        }
    }

    static func escaped(_ key: String) -> String {
        var escaped: [UInt8] = []
        // By bytes, because a slash with a combining accent is one Character.
        for byte in key.utf8 {
            switch byte {
            case UInt8(ascii: "~"): escaped += "~0".utf8
            case UInt8(ascii: "/"): escaped += "~1".utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}

extension String {
    /// The JSON string, in double quotes.
    public var jsonQuoted: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(utf8.count + 2)
        JSONString.write(self, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
