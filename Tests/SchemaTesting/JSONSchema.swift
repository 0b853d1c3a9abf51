internal import Foundation

/// The part of JSON Schema 2020-12 that our published schemas use. An unknown keyword is an error.
package struct JSONSchema {
    private let root: [String: Any]

    /// A keyword or a reference that this validator doesn't know.
    package struct Unknown: Error { package var name: String }

    /// - Parameter name: a file in docs/reference.
    package init(reference name: String) throws {
        let docs = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/reference")
        let data = try Data(contentsOf: docs.appending(path: name))
        guard let root = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            throw Unknown(name: name)
        }
        self.root = root
    }

    package func accepts(_ json: String) throws -> Bool {
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
        return try accepts(value, root)
    }

    private func accepts(_ value: Any, _ schema: [String: Any]) throws -> Bool {
        for (keyword, rule) in schema where try !obeys(value, keyword, rule, schema) { return false }
        return true
    }

    private func obeys(_ value: Any, _ keyword: String, _ rule: Any, _ schema: [String: Any]) throws -> Bool {
        let (object, array, text) = (value as? [String: Any], value as? [Any], value as? String)
        switch keyword {
        case "$schema", "$id", "$defs", "title", "description", "default": return true
        case "$ref": return try accepts(value, definition(rule))
        case "anyOf": return try (rule as? [[String: Any]] ?? []).contains { try accepts(value, $0) }
        case "type":
            let types = rule as? [String] ?? [rule as? String ?? ""]
            return types.contains { type(value, is: $0) }
        case "const": return same(value, rule)
        case "enum": return (rule as? [Any] ?? []).contains { same(value, $0) }
        case "required":
            return object.map { object in (rule as? [String] ?? []).allSatisfy { object[$0] != nil } } ?? true
        case "properties":
            let properties = rule as? [String: [String: Any]] ?? [:]
            return try (object ?? [:]).allSatisfy {
                try properties[$0].map { [value = $1] in try accepts(value, $0) } ?? true
            }
        case "additionalProperties":
            let known = schema["properties"] as? [String: Any] ?? [:]
            let others = (object ?? [:]).filter { known[$0.key] == nil }.values
            if let schema = rule as? [String: Any] { return try others.allSatisfy { try accepts($0, schema) } }
            return others.isEmpty
        case "items": return try (array ?? []).allSatisfy { try accepts($0, rule as? [String: Any] ?? [:]) }
        case "minItems": return array.map { $0.count >= number(rule) } ?? true
        case "maxItems": return array.map { $0.count <= number(rule) } ?? true
        case "uniqueItems": return array.map { Set($0.map { "\($0)" }).count == $0.count } ?? true
        case "minLength": return text.map { $0.unicodeScalars.count >= number(rule) } ?? true
        case "maxLength": return text.map { $0.unicodeScalars.count <= number(rule) } ?? true
        case "minimum": return (value as? NSNumber).map { $0.doubleValue >= Double(number(rule)) } ?? true
        case "maximum": return (value as? NSNumber).map { $0.doubleValue <= Double(number(rule)) } ?? true
        case "pattern":
            let expression = try NSRegularExpression(pattern: rule as? String ?? "")
            return text.map {
                expression.firstMatch(in: $0, range: NSRange($0.startIndex..., in: $0)) != nil
            } ?? true
        default: throw Unknown(name: keyword)
        }
    }

    private func number(_ rule: Any) -> Int { (rule as? NSNumber)?.intValue ?? 0 }

    private func definition(_ reference: Any) throws -> [String: Any] {
        let name = (reference as? String)?.split(separator: "/").last.map(String.init) ?? ""
        guard let definition = (root["$defs"] as? [String: [String: Any]])?[name] else { throw Unknown(name: name) }
        return definition
    }

    private func type(_ value: Any, is name: String) -> Bool {
        switch name {
        case "object": value is [String: Any]
        case "array": value is [Any]
        case "string": value is String
        case "null": value is NSNull
        case "boolean": isFlag(value)
        case "integer":
            !isFlag(value) && (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() } ?? false
        case "number": !isFlag(value) && value is NSNumber
        default: false
        }
    }

    private func isFlag(_ value: Any) -> Bool {
        (value as? NSNumber).map { String(cString: $0.objCType) == "c" || String(cString: $0.objCType) == "B" } ?? false
    }

    private func same(_ value: Any, _ other: Any) -> Bool {
        if value is NSNull || other is NSNull { return value is NSNull && other is NSNull }
        return (value as? NSObject) == (other as? NSObject)
    }
}
