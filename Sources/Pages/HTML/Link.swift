internal import CensusCore

/// A URL within the console. Every filter is in its query, so that people can share it.
package struct Link: Sendable, Hashable {
    package enum Place: String, Sendable, CaseIterable {
        case overview = "/console"
        case kind = "/console/kind"
        case losses = "/console/losses"
        case quirks = "/console/quirks"
        case coverage = "/console/coverage"
        case device = "/console/device"
        case status = "/console/status"
        case login = "/console/login"
        case logout = "/console/logout"

        /// The name in the navigation; nil: not listed.
        var name: String? {
            switch self {
            case .overview: "Overview"
            case .losses: "Losses"
            case .quirks: "OS quirks"
            case .coverage: "Coverage and refusals"
            case .device: "A device"
            case .status: "Status"
            case .kind, .login, .logout: nil
            }
        }
    }

    private(set) var path: String
    private(set) var query: [(name: String, value: String)] = []

    package init(_ place: Place) { path = place.rawValue }

    /// - Parameter address: a requested URL within the console.
    init(address: String) { path = address }

    /// A report as a CSV file.
    init(report: String) { path = "/console/report/" + report }

    /// - Parameter value: nil: without this filter.
    package func with(_ name: String, _ value: String?) -> Link {
        guard let value else { return self }
        var link = self
        link.query.removeAll { $0.name == name }
        link.query.append((name, value))
        return link
    }

    func with(_ name: String, _ value: Day) -> Link { with(name, value.description) }

    package var text: String {
        guard !query.isEmpty else { return path }
        return path + "?" + query.map { "\($0.name)=\(Link.encoded($0.value))" }.joined(separator: "&")
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

    package static func == (left: Link, right: Link) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension HTML.StringInterpolation {
    package mutating func appendInterpolation(_ link: Link) { appendInterpolation(link.text) }
}
