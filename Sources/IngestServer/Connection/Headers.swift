package import HTTPTypes
internal import NIOHTTP1

/// The header fields of a request or response. Names ignore case.
package struct Headers: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var fields: HTTPHeaders

    init(_ fields: HTTPHeaders) { self.fields = fields }

    package init(dictionaryLiteral elements: (HTTPField.Name, String)...) {
        fields = HTTPHeaders(elements.map { ($0.rawName, Headers.inOneLine($1)) })
    }

    /// All values of a field, joined (RFC 9110, section 5.3); nil if there are none.
    package subscript(name: HTTPField.Name) -> String? {
        get {
            let values = fields[name.canonicalName]
            guard values.count > 1 else { return values.first }
            return values.joined(separator: name == .cookie ? "; " : ", ")
        }
        set {
            guard let newValue else { return fields.remove(name: name.rawName) }
            fields.replaceOrAdd(name: name.rawName, value: Headers.inOneLine(newValue))
        }
    }

    subscript(values name: HTTPField.Name) -> [String] { fields[name.canonicalName] }

    /// Adds the fields whose names are missing here.
    mutating func fill(from others: Headers) {
        for (name, value) in others.fields where !fields.contains(name: name) { fields.add(name: name, value: value) }
    }

    /// - Parameter isMeant: gets each name in lower case.
    func containsName(where isMeant: (String) -> Bool) -> Bool { fields.contains { isMeant($0.name.lowercased()) } }

    /// Replaces control characters by spaces, so that no value can begin another field.
    private static func inOneLine(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return value }
        return String(
            String.UnicodeScalarView(value.unicodeScalars.map { $0.value < 0x20 || $0 == "\u{7F}" ? " " : $0 }))
    }
}

extension HTTPField.Name {
    static let host = HTTPField.Name(validated: "Host")
    static let requestID = HTTPField.Name(validated: "Request-Id")
    static let xRequestID = HTTPField.Name(validated: "X-Request-Id")
    /// W3C Trace Context.
    static let traceparent = HTTPField.Name(validated: "traceparent")
    static let traceresponse = HTTPField.Name(validated: "traceresponse")
    /// A device's raw id. It is sent in a header, never in a URL, to keep it out of logs.
    static let censusDevice = HTTPField.Name(validated: "Census-Device")
    /// The exit status of a preflight.
    static let censusExitStatus = HTTPField.Name(validated: "Census-Exit-Status")
    /// How many calls of a Segment batch that got 200 were refused, and the message about the first.
    static let censusRefused = HTTPField.Name(validated: "Census-Refused")
    static let censusRefusedFirst = HTTPField.Name(validated: "Census-Refused-First")
    /// - Parameter name: a literal of this program, which must be a valid name.
    init(validated name: String) {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header name") }
        self = name
    }
}
