/// Writes JSON without spaces, one member after another.
package struct JSONBuilder {
    package private(set) var bytes: [UInt8] = []
    /// Whether the next value follows another one in its array or object.
    private var follows = false

    package init() {}

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    package mutating func object(_ members: (inout JSONBuilder) -> Void) {
        enclose("{", "}") { json in members(&json) }
    }

    package mutating func array<Element>(
        _ elements: some Sequence<Element>, _ write: (inout JSONBuilder, Element) -> Void
    ) {
        enclose("[", "]") { json in
            for element in elements {
                json.separate()
                write(&json, element)
                json.follows = true
            }
        }
    }

    package mutating func member(_ name: String, _ value: (inout JSONBuilder) -> Void) {
        separate()
        JSONString.write(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        value(&self)
        follows = true
    }

    package mutating func member(_ name: String, _ text: String?) { member(name) { $0.value(text) } }

    package mutating func member(_ name: String, _ number: Int?) {
        member(name) { $0.literal(number.map { "\($0)" } ?? "null") }
    }

    package mutating func member(_ name: String, _ flag: Bool) { member(name) { $0.literal("\(flag)") } }

    package mutating func member(_ name: String, _ texts: [String]) {
        member(name) { $0.array(texts) { json, text in json.value(text) } }
    }

    package mutating func value(_ text: String?) {
        if let text { JSONString.write(text, to: &bytes) } else { literal("null") }
    }

    /// Appends valid JSON, such as a number, `true` or `null`.
    package mutating func literal(_ json: String) { bytes.append(contentsOf: json.utf8) }

    private mutating func enclose(_ open: String, _ close: String, _ content: (inout JSONBuilder) -> Void) {
        literal(open)
        follows = false
        content(&self)
        literal(close)
    }

    private mutating func separate() {
        if follows { literal(",") }
        follows = false
    }
}
