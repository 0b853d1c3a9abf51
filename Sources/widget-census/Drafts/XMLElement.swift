/// An element of an XML file, as exact as Android's files and property lists need.
struct XMLElement {
    var name: String
    var attributes: [String: String]
    var children: [XMLElement] = []
    /// The characters directly in it.
    var text = ""
    var line: Int

    /// The root element; nil if the file has none.
    init?(_ bytes: [UInt8]) {
        var reader = XMLReader(bytes)
        guard let root = reader.root() else { return nil }
        self = root
    }

    fileprivate init(name: String, attributes: [String: String], line: Int) {
        self.name = name
        self.attributes = attributes
        self.line = line
    }

    /// All elements of that name in it, at any depth.
    func all(_ name: String) -> [XMLElement] {
        children.flatMap { ($0.name == name ? [$0] : []) + $0.all(name) }
    }

    /// The string for a key of a property list.
    static func plistValue(_ key: String, in bytes: [UInt8]) -> String? {
        guard let entries = XMLElement(bytes)?.children.first(where: { $0.name == "dict" })?.children else {
            return nil
        }
        guard let position = entries.firstIndex(where: { $0.name == "key" && $0.text == key }),
            position + 1 < entries.count, entries[position + 1].name == "string"
        else { return nil }
        return entries[position + 1].text
    }
}

private struct XMLReader {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private func follows(_ text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func advance() {
        if bytes[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    /// Past the text, or to the end of the file.
    private mutating func skip(past text: String) {
        while position < bytes.count, !follows(text) { advance() }
        position = min(position + text.utf8.count, bytes.count)
    }

    mutating func root() -> XMLElement? {
        var open: [XMLElement] = []
        while position < bytes.count {
            if follows("<!--") {
                skip(past: "-->")
            } else if follows("<![CDATA[") {
                skip(past: "]]>")
            } else if follows("<?") || follows("<!") {
                skip(past: ">")
            } else if follows("</") {
                skip(past: ">")
                guard let closed = open.popLast() else { return nil }
                guard !open.isEmpty else { return closed }
                open[open.count - 1].children.append(closed)
            } else if follows("<") {
                let (element, isClosed) = start()
                if !isClosed {
                    open.append(element)
                } else if open.isEmpty {
                    return element
                } else {
                    open[open.count - 1].children.append(element)
                }
            } else {
                let text = characters(until: "<")
                if !open.isEmpty { open[open.count - 1].text += text }
            }
        }
        return open.first
    }

    private mutating func characters(until end: Character) -> String {
        let start = position
        while position < bytes.count, bytes[position] != end.asciiValue { advance() }
        return String(decoding: bytes[start..<position], as: UTF8.self).replacingEntities
    }

    private mutating func name() -> String {
        let start = position
        while position < bytes.count, !" \t\r\n=/>".utf8.contains(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position] <= 0x20 { advance() }
    }

    /// A start tag, and whether it is also the end of its element.
    private mutating func start() -> (XMLElement, isClosed: Bool) {
        let first = line
        position += 1
        var element = XMLElement(name: name(), attributes: [:], line: first)
        while true {
            skipSpace()
            guard position < bytes.count else { return (element, true) }
            if follows("/>") {
                position += 2
                return (element, true)
            }
            if follows(">") {
                position += 1
                return (element, false)
            }
            let before = position
            let attribute = name()
            skipSpace()
            if follows("=") {
                position += 1
                skipSpace()
                let quote: Character = follows("'") ? "'" : "\""
                if position < bytes.count { advance() }
                element.attributes[attribute] = characters(until: quote)
                if position < bytes.count { advance() }
            }
            // A stray character.
            if position == before { advance() }
        }
    }
}

extension String {
    fileprivate var replacingEntities: String {
        guard contains("&") else { return self }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")].reduce(self) {
            $0.replacing($1.0, with: $1.1)
        }
    }
}
