package import Foundation

/// A value in a record of another tool.
package enum RecordValue: Hashable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([RecordValue])
    case object([String: RecordValue])

    /// - Throws: if it isn't JSON.
    package init(json: [UInt8]) throws {
        self.init(try JSONSerialization.jsonObject(with: Data(json), options: .fragmentsAllowed))
    }

    private init(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let number as NSNumber:
            // Foundation's JSON has one type for both.
            self = CFBooleanLike.isFlag(number) ? .flag(number.boolValue) : .number(number.doubleValue)
        case let list as [Any]: self = .list(list.map { RecordValue($0) })
        case let object as [String: Any]: self = .object(object.mapValues { RecordValue($0) })
        default: self = .null
        }
    }

    /// The value at a path such as `app_info.version`. A member whose own name has dots is found, too.
    subscript(path: String) -> RecordValue? {
        guard case .object(let members) = self else { return nil }
        if let value = members[path] { return value }
        guard let dot = path.firstIndex(of: ".") else { return nil }
        return members[String(path[..<dot])]?[String(path[path.index(after: dot)...])]
    }

    /// A text, or a number as one; nil if it is empty or something else.
    var scalar: String? {
        switch self {
        case .text(let text): text.isEmpty ? nil : text
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
        case .flag(let flag): "\(flag)"
        case .null, .list, .object: nil
        }
    }

    /// How many there are: a number, a flag, or either as a text; nil if it is something else.
    var count: Int? {
        switch self {
        case .number(let number): Int(exactly: number.rounded())
        case .flag(let flag): flag ? 1 : 0
        case .text("true"): 1
        case .text("false"), .text(""): 0
        case .text(let text): Int(text)
        case .null: 0
        case .list, .object: nil
        }
    }
}

private enum CFBooleanLike {
    static func isFlag(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
