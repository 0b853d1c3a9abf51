internal import CensusCore
internal import NIOCore

/// Writes the small JSON objects of responses.
struct JSONObject {
    private var text = "{"

    mutating func add(_ name: StaticString, _ value: String) { append(name, JSONObject.quoted(value)) }

    mutating func add(_ name: StaticString, _ value: some BinaryInteger) { append(name, String(value)) }

    mutating func add(_ name: StaticString, _ value: Bool) { append(name, String(value)) }

    mutating func add(_ name: StaticString, _ object: JSONObject) { append(name, object.text + "}") }

    mutating func add(key: String, _ value: String) {
        separate()
        text += JSONObject.quoted(key) + ":" + JSONObject.quoted(value)
    }

    mutating func add(_ name: StaticString, _ refused: [RefusedEvent]) {
        let list = refused.map { event in
            var object = JSONObject()
            object.add("index", event.index)
            if let id = event.id { object.add("id", id) }
            object.add("code", event.refusal.code)
            object.add("message", event.refusal.message)
            return object.text + "}"
        }
        append(name, "[" + list.joined(separator: ",") + "]")
    }

    mutating func add(_ name: StaticString, _ warnings: [BatchWarning]) {
        let list = warnings.map { warning in
            var object = JSONObject()
            if let index = warning.index { object.add("index", index) }
            object.add("code", warning.code.rawValue)
            object.add("message", warning.message)
            object.add("pointer", warning.pointer)
            return object.text + "}"
        }
        append(name, "[" + list.joined(separator: ",") + "]")
    }

    mutating func add(_ name: StaticString, _ problems: [(pointer: String, message: String)]) {
        let list = problems.map { problem in
            var object = JSONObject()
            object.add("pointer", problem.pointer)
            object.add("message", problem.message)
            return object.text + "}"
        }
        append(name, "[" + list.joined(separator: ",") + "]")
    }

    var buffer: ByteBuffer { ByteBuffer(string: text + "}") }

    private mutating func append(_ name: StaticString, _ json: String) {
        separate()
        text += "\""
        text += name.description
        text += "\":"
        text += json
    }

    private mutating func separate() {
        if text.utf8.count > 1 { text += "," }
    }

    private static func quoted(_ value: String) -> String { value.jsonQuoted }
}
