@testable import CensusCore

/// A device's state as lines of `label: value`, for any fields it has.
///
/// Absent, empty, false and zero values are left out, so adding a field with such a default changes no line.
struct ReadableState {
    private(set) var lines: [(label: String, value: String)] = []

    init(_ state: DeviceState) {
        add(fieldsOf: state, under: "", except: ["surfaces"])
        for (surface, held) in state.surfaces.sorted(by: { $0.key < $1.key }) {
            add(fieldsOf: held, under: surface.rawValue + ".")
        }
    }

    private mutating func add(fieldsOf value: Any, under prefix: String, except skipped: Set<String> = []) {
        for field in Mirror(reflecting: value).children {
            guard let label = field.label, !skipped.contains(label), let text = ReadableState.text(field.value) else {
                continue
            }
            lines.append((prefix + label, text))
        }
    }

    /// - Returns: nil for a value that is left out.
    private static func text(_ value: Any) -> String? {
        switch value {
        case let string as String: return "'\(string)'"
        case let number as any BinaryInteger: return "\(number)" == "0" ? nil : "\(number)"
        case let flag as Bool: return flag ? "true" : nil
        case let named as any RawRepresentable: return "\(named.rawValue)"
        default: break
        }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional: return mirror.children.first.flatMap { text($0.value) ?? "none" }
        case .collection: return listed(mirror.children.map { text($0.value) ?? "none" }, "[", "]")
        case .set: return listed(sorted(mirror.children.map { text($0.value) ?? "none" }), "{", "}")
        case .dictionary: return listed(sorted(mirror.children.map { pair($0.value) }), "{", "}")
        default: return fields(mirror)
        }
    }

    private static func fields(_ mirror: Mirror) -> String? {
        // A wrapper of a single value is shown as that value.
        if mirror.children.count == 1, let only = mirror.children.first { return text(only.value) }
        let fields = mirror.children.compactMap { field in text(field.value).map { "\(field.label ?? "_")=\($0)" } }
        return listed(fields, "(", ")")
    }

    private static func pair(_ value: Any) -> String {
        Mirror(reflecting: value).children.map { text($0.value) ?? "none" }.joined(separator: ": ")
    }

    /// By bytes, because Swift's own order treats different spellings of one character as equal.
    private static func sorted(_ texts: [String]) -> [String] {
        texts.map { Text($0) }.sorted().map(\.text)
    }

    private static func listed(_ parts: [String], _ open: String, _ close: String) -> String? {
        parts.isEmpty ? nil : open + parts.joined(separator: ", ") + close
    }
}
