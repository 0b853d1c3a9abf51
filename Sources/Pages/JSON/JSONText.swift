internal import Foundation

// Pages and rows as JSON: sorted names in snake case, without nil members.

extension Encodable {
    /// Indented, with a line end.
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
