/// The paths of the console's pages that other programs link to.
package enum ConsolePath {
    package static func overview(app: String) -> String { path("/console", [("app", app)]) }

    package static func losses(app: String) -> String { path("/console/losses", [("app", app)]) }

    package static func status(app: String) -> String { path("/console/status", [("app", app)]) }

    package static func kind(_ kind: String, surface: String, app: String) -> String {
        path("/console/kind", [("app", app), ("kind", kind), ("surface", surface)])
    }

    /// A path with a query, whose values are encoded as RFC 3986 says.
    package static func path(_ path: String, _ query: [(name: String, value: String)]) -> String {
        query.isEmpty ? path : path + "?" + encoded(query)
    }

    /// Fields as in a query or a form.
    package static func encoded(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\($0.name)=\(encoded($0.value))" }.joined(separator: "&")
    }

    /// The characters that need no encoding: RFC 3986's unreserved ones.
    private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if plain.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
