internal import Foundation

// Pages and rows as programs read them: names in snake case, sorted, and what is nil left out.

extension Encodable {
    /// With a line end.
    package func jsonText() throws -> String {
        String(decoding: try JSONEncoder(pretty: true).encode(self), as: UTF8.self) + "\n"
    }

    /// On one line.
    package func jsonLine() throws -> String {
        String(decoding: try JSONEncoder(pretty: false).encode(self), as: UTF8.self) + "\n"
    }
}

extension JSONEncoder {
    fileprivate convenience init(pretty: Bool) {
        self.init()
        keyEncodingStrategy = .convertToSnakeCase
        outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { outputFormatting.insert(.prettyPrinted) }
    }
}
