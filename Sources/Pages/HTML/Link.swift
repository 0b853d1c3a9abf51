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
        /// Shows what an act would do.
        case preview = "/console/preview"
        case act = "/console/act"
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
            case .kind, .preview, .act, .login, .logout: nil
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

    package var text: String { ConsolePath.path(path, query) }

    /// Fields as in a query or a form: ASCII without anything that HTML escapes or a browser changes.
    static func encoded(_ fields: [(name: String, value: String)]) -> String { ConsolePath.encoded(fields) }

    package static func == (left: Link, right: Link) -> Bool { left.text == right.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension HTML.StringInterpolation {
    package mutating func appendInterpolation(_ link: Link) { appendInterpolation(link.text) }
}
