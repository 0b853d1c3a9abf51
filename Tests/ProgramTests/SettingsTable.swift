import Foundation
import IngestServer
import Testing

@testable import EmbeddedPostgres
@testable import widget_census

/// The settings in docs/operations.md, held against what the program does when nobody sets any.
@Suite struct `The table of settings` {
    @Test func `in docs/operations.md says the program's own words and defaults`() throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/operations.md")
        let page = try String(contentsOf: path, encoding: .utf8)
        let table = try #require(page.components(separatedBy: "\n\n").first { $0.hasPrefix("| name | default |") })
        let rows = table.components(separatedBy: "\n").filter { $0.hasPrefix("| `CENSUS_") }

        let settings = try widget_census.Settings(environment: [:])
        let expected = try widget_census.Settings.names.sorted { $0.key < $1.key }.map { name, words in
            let value = try #require(try settings.value(of: name), "\(name) is new: say its default here")
            return "| `\(name)` |\(value.isEmpty ? "" : " \(value)") | \(words) |"
        }
        #expect(rows == expected, "the table is to be:\n\(expected.joined(separator: "\n"))")
    }
}

extension widget_census.Settings {
    /// As the table has it: empty where there is none.
    ///
    /// - Returns: nil for a name that it does not know.
    fileprivate func value(of name: String) throws -> String? {
        switch name {
        case "CENSUS_CONFIG": ""
        case "CENSUS_CONNECTIONS": "\(server.connections.maximum)"
        case "CENSUS_CONSOLE": server.console.access.rawValue
        case "CENSUS_CONSOLE_LOGIN_HEADER": server.console.loginHeader.map { "\($0)" } ?? ""
        case "CENSUS_CONSOLE_TRUSTED_PROXY": server.console.trustedProxies.joined(separator: ",")
        case "CENSUS_DATA_DIR":
            "\(folder(isRoot: true)) (root), else \(folder(isRoot: false).replacing("/home/me", with: "~"))"
        case "CENSUS_HOST": host
        case "CENSUS_LOG_FORMAT": logFormat.rawValue
        // Each command has its own.
        case "CENSUS_LOG_LEVEL": logLevel.map { "\($0)" } ?? "info (`serve`)"
        case "CENSUS_METRICS": server.metrics.rawValue
        case "CENSUS_PORT": "\(port)"
        case "CENSUS_RATE_EVENTS": "\(server.rates.events)"
        case "CENSUS_RATE_KIB": "\(server.rates.kibibytes)"
        case "CENSUS_RATE_REQUESTS": "\(server.rates.requests)"
        case "CENSUS_SECRET": secret ?? ""
        case "CENSUS_SPOOL_BYTES":
            "\(SpoolSettings(folder: "/spool").limit >> 30)GiB"
        case "CENSUS_SPOOL_DIR": spool?.folder ?? ""
        default: nil
        }
    }

    private func folder(isRoot: Bool) -> String {
        EmbeddedServer.defaultDataDirectory(environment: ["HOME": "/home/me"], isRoot: isRoot)
    }
}
