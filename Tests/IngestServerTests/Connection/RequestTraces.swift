import CensusStore
import Foundation
import PostgresTesting
import Synchronization
import Testing
import Traces

@Suite struct `Request traces` {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let parent = "b7ad6b7169203331"

    /// Opens a server, and returns the spans that it traced while `body` ran.
    private func spans(_ body: @Sendable (IngestTestServer) async throws -> Void) async throws -> [[String: Any]] {
        let messages = Mutex<[Data]>([])
        let exporter = TraceExporter(version: "1.2.3", logger: LogRecords().logger) { message in
            messages.withLock { $0.append(message) }
            return 200
        }
        try await IngestTestServer.open(tracer: CollectorTracer(exporter: exporter), body)
        await exporter.flush()
        return try messages.withLock { $0 }.flatMap { message in
            let whole = try #require(try JSONSerialization.jsonObject(with: message) as? [String: [[String: Any]]])
            let scopes = try #require(whole["resourceSpans"]?.first?["scopeSpans"] as? [[String: Any]])
            return try #require(scopes.first?["spans"] as? [[String: Any]])
        }
    }

    private func attributes(of span: [String: Any]) -> [String: String] {
        let pairs = (span["attributes"] as? [[String: Any]] ?? []).map { attribute in
            let value = (attribute["value"] as? [String: Any])?.values.first
            return (attribute["key"] as? String ?? "", value as? String ?? "")
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    @Test func `a sampled request has a span, whose id is in its response`() async throws {
        let sampled = ("traceparent", "00-\(Self.trace)-\(Self.parent)-01")
        let response = Mutex("")
        let spans = try await spans { server in
            let accepted = try await server.post(Array(Sample(Sample.opened()).json.utf8), sampled)
            #expect(accepted.status == 202)
            response.withLock { $0 = accepted.headers["traceresponse"] ?? "" }
        }
        let span = try #require(spans.first)
        #expect(spans.count == 1 && span["name"] as? String == "POST /v1/events" && span["kind"] as? Int == 2)
        #expect(span["parentSpanId"] as? String == Self.parent)
        let id = try #require(span["spanId"] as? String)
        #expect(response.withLock { $0 } == "00-\(Self.trace)-\(id)-01")
        #expect(span["status"] == nil)
        #expect(
            attributes(of: span) == [
                "http.request.method": "POST", "http.route": "/v1/events", "http.response.status_code": "202",
            ])
    }

    @Test func `a span names a path's template, and no path, key or id`() async throws {
        let sampled = ("traceparent", "00-\(Self.trace)-\(Self.parent)-01")
        let key = Mutex("")
        let spans = try await spans { server in
            key.withLock { $0 = server.key.text }
            for (method, path) in [
                ("GET", "/v1/projects/\(server.key.text)/settings"), ("GET", "/v1/reports/secret-name?day=secret-day"),
                ("GET", "/v1/secret-device"), ("PROPFIND", "/livez"), ("GET", "/v1/device"),
            ] {
                _ = try await server.send(RawRequest(method: method, path: path, headers: [sampled]))
            }
        }
        #expect(
            spans.map { $0["name"] as? String } == [
                "GET /v1/projects/{key}/settings", "GET /v1/reports/{name}", "GET", "HTTP /livez", "GET /v1/device",
            ])
        let all = spans.map(attributes)
        let codes = all.map { $0["error.type"] }
        #expect(codes == [nil, "no_key", "not_found", "method_not_allowed", "method_not_allowed"])
        #expect(all.map { $0["http.route"] == nil } == [false, false, true, false, false])
        #expect(all[3]["http.request.method"] == "_OTHER")
        let text = "\(spans)"
        for word in ["secret", key.withLock { $0 }] { #expect(!text.contains(word), "\(word)") }
    }

    @Test func `an internal error marks its span as an error`() async throws {
        let sampled = ("traceparent", "00-\(Self.trace)-\(Self.parent)-01")
        let spans = try await spans { server in
            try await server.allowConnections(false)
            #expect(try await server.post(Array(Sample(Sample.opened()).json.utf8), sampled).status == 503)
            try await server.allowConnections(true)
        }
        let span = try #require(spans.first)
        #expect((span["status"] as? [String: Int]) == ["code": 2])
        #expect(attributes(of: span)["error.type"] == "store_away")
    }

    @Test func `a request without a sampled trace has no span`() async throws {
        let unsampled = ("traceparent", "00-\(Self.trace)-\(Self.parent)-00")
        let spans = try await spans { server in
            let response = try await server.get("/livez", unsampled)
            #expect(response.headers["traceresponse"]?.hasSuffix("-00") == true)
            #expect(try await server.get("/livez").headers["traceresponse"] == nil)
        }
        #expect(spans.isEmpty)
    }
}
