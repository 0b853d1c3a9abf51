internal import CensusCore

/// The fields of a query or of a form (application/x-www-form-urlencoded).
struct FormFields: Equatable {
    private(set) var fields: [(name: String, value: String)] = []

    /// Nil if it is not UTF-8, has an invalid escape, or contains U+0000, which PostgreSQL can't store.
    init?(_ text: some Sequence<UInt8>) {
        for part in Array(text).split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = FormFields.decode(sides[0]), let value = FormFields.decode(sides.count > 1 ? sides[1] : [])
            else { return nil }
            fields.append((name, value))
        }
    }

    /// The field's only value; nil if it is missing, empty or repeated.
    subscript(name: String) -> String? {
        let values = fields.filter { $0.name == name }
        guard values.count == 1, let value = values.first?.value, !value.isEmpty else { return nil }
        return value
    }

    /// The names that are repeated or unknown.
    func strangers(to known: [String]) -> [String] {
        let counts = Dictionary(fields.map { (Text($0.name), 1) }, uniquingKeysWith: +)
        return fields.map(\.name).filter { !known.contains($0) || counts[Text($0), default: 0] > 1 }
    }

    private static func decode(_ bytes: ArraySlice<UInt8>) -> String? {
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(0x20)
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst()?.hexadecimalValue, let low = rest.popFirst()?.hexadecimalValue else {
                    return nil
                }
                decoded.append(high << 4 | low)
            case 0: return nil
            default: decoded.append(byte)
            }
        }
        return decoded.contains(0) ? nil : String(validating: decoded, as: UTF8.self)
    }

    static func == (left: FormFields, right: FormFields) -> Bool {
        left.fields.elementsEqual(right.fields) { $0 == $1 }
    }
}
