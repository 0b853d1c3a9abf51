import CensusCore
import CensusStore
import Foundation
import Testing

@testable import IngestServer

/// docs/reference/openapi.yaml describes the service for programs. `Benchmarks/attack/run specification` tries it out.
@Suite(.serialized, .server) struct `Specification` {
    private let lines: [Substring]

    init() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/reference/openapi.yaml")
        lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// The documented methods by path.
    private var operations: [String: Set<String>] {
        var operations: [String: Set<String>] = [:]
        var path = ""
        for line in lines.drop(while: { $0 != "paths:" }).prefix(while: { $0 != "components:" }) {
            if let match = line.wholeMatch(of: #/  (/.*):/#) {
                path = String(match.1)
                operations[path] = []
            } else if let match = line.wholeMatch(
                of: #/    (get|put|post|delete|options|head|patch|trace):( [&*]\w+)?/#)
            {
                operations[path, default: []].insert(match.1.uppercased())
            }
        }
        return operations
    }

    @Test func `the document lists every warning code and no others`() {
        #expect(codes(of: "Warning") == BatchWarning.Code.allCases.map(\.rawValue))
    }

    /// The `enum` values of a schema's member `code`.
    private func codes(of schema: String) -> [String] {
        lines.drop { $0 != "    \(schema):" }.drop { $0 != "        code:" }.dropFirst(2)
            .prefix { $0.hasPrefix("            - ") }.map { String($0.dropFirst(14)) }
    }

    @Test func `the document lists every path and method of the server and no others`() {
        let known = Route.all.flatMap { route in route.paths.map { ($0, Set(route.allowed)) } }
        #expect(operations == Dictionary(uniqueKeysWithValues: known))
    }

    @Test func `every operation names the key roles that its route accepts`() throws {
        let document = try JSONSerialization.jsonObject(with: Data(OpenAPIDocument.text.utf8)) as? [String: Any]
        let paths = try #require(document?["paths"] as? [String: [String: Any]])
        for route in Route.all {
            for (path, method) in route.paths.flatMap({ path in route.allowed.map { (path, $0) } }) {
                let operation = paths[path]?[method.lowercased()] as? [String: Any]
                let security = operation?["security"] as? [[String: [String]]] ?? []
                // Segment's routes accept a key in several places, so the endpoint checks it.
                let documented = security.count == 1 ? security[0]["key"] ?? [] : []
                #expect(documented == route.roles.map(\.rawValue), "\(method) \(path)")
            }
        }
    }

    @Test func `documented methods get a response, and others get 405 with the documented ones`() async throws {
        let server = try server()
        for (template, documented) in operations {
            let path = template.replacing("{key}", with: server.key.text).replacing("{name}", with: "adoption")
            for method in ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"] {
                let response = try await server.send(RawRequest(method: method, path: path))
                #expect((response.status == 405) == !documented.contains(method), "\(method) \(path)")
                #expect(response.status != 404, "\(method) \(path)")
                guard response.status == 405 else { continue }
                let allowed = try #require(response.headers["allow"]).split(separator: ", ").map(String.init)
                #expect(Set(allowed) == documented, "\(method) \(path)")
            }
        }
    }

    @Test func `the document lists every event type and no others`() {
        let documented = lines.filter { $0.hasPrefix("        type: {") }.flatMap { line in
            line.matches(of: #/(?:widgets?|app)_\w+/#).map { String($0.output) }
        }
        #expect(Set(documented) == Set(EventType.allCases.map(\.rawValue)))
    }

    @Test func `the document lists every report and no others`() {
        let listed = lines.drop { $0 != "  /v1/reports/{name}:" }.drop { $0 != "          enum:" }.dropFirst()
            .prefix { $0.hasPrefix("            - ") }.map { String($0.dropFirst(14)) }
        #expect(listed == ReportReader.names.sorted())
    }

    @Test func `the document lists every code of problems and rejected events and no others`() {
        // Only metrics use "other".
        #expect(codes(of: "Problem") == Problem.codes.filter { $0 != "other" }.sorted())
        #expect(codes(of: "RefusedEvent") == Refusal.codes)
    }
}
