import Foundation
import Logging
import PostgresTesting
import Synchronization
import Testing
import Tracing
import Traces

/// A collector that responds with the given statuses and keeps what it accepted.
private final class Collector: Sendable {
    struct Away: Error {}

    private let state: Mutex<(statuses: [Int?], accepted: [Data], attempts: Int)>
    let logs = LogRecords()

    /// - Parameter statuses: of the first responses, nil for no response; later ones get 200.
    init(_ statuses: Int?...) { state = Mutex((statuses, [], 0)) }

    var accepted: [Data] { state.withLock { $0.accepted } }
    var attempts: Int { state.withLock { $0.attempts } }

    var tracer: CollectorTracer {
        CollectorTracer(
            exporter: TraceExporter(version: "1.2.3", logger: logs.logger) { [self] message in
                try state.withLock { state in
                    state.attempts += 1
                    let status = state.statuses.isEmpty ? 200 : state.statuses.removeFirst()
                    guard let status else { throw Away() }
                    if status == 200 { state.accepted.append(message) }
                    return status
                }
            })
    }

    /// The spans of all messages, in order.
    func spans() throws -> [[String: Any]] {
        try accepted.flatMap { message in
            let whole = try #require(try JSONSerialization.jsonObject(with: message) as? [String: [[String: Any]]])
            let scopes = try #require(whole["resourceSpans"]?.first?["scopeSpans"] as? [[String: Any]])
            return try #require(scopes.first?["spans"] as? [[String: Any]])
        }
    }
}

@Suite struct `Trace exports` {
    @Test func `a message is OTLP JSON`() async throws {
        let collector = Collector()
        let tracer = collector.tracer
        var context = InstrumentationContext.topLevel
        context.trace = TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        let start = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 1_800_000_000_123_456_789)
        let end = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: 1_800_000_001_000_000_000)
        let span = tracer.startSpan("POST /v1/events", context: context, ofKind: .server, at: start)
        span.attributes["http.route"] = "/v1/events"
        span.attributes["http.response.status_code"] = 503
        span.setStatus(SpanStatus(code: .error))
        span.end(at: end)
        span.end(at: end)
        await tracer.exporter.flush()

        let id = try #require(span.context.trace?.span)
        let expected = """
            {"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"widget-census"}},\
            {"key":"service.version","value":{"stringValue":"1.2.3"}}]},\
            "scopeSpans":[{"scope":{"name":"widget-census","version":"1.2.3"},\
            "spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"\(id)","parentSpanId":"b7ad6b7169203331",\
            "name":"POST /v1/events","kind":2,"startTimeUnixNano":"1800000000123456789",\
            "endTimeUnixNano":"1800000001000000000",\
            "attributes":[{"key":"http.response.status_code","value":{"intValue":"503"}},\
            {"key":"http.route","value":{"stringValue":"/v1/events"}}],"status":{"code":2}}]}]}]}
            """
        let message = try #require(collector.accepted.first)
        #expect(collector.accepted.count == 1)
        #expect(
            try JSONSerialization.jsonObject(with: message) as? NSDictionary
                == JSONSerialization.jsonObject(with: Data(expected.utf8)) as? NSDictionary)
    }

    @Test func `a span without a parent starts a trace, and its children join it`() async throws {
        let collector = Collector()
        let tracer = collector.tracer
        let night = tracer.startSpan("night", context: .topLevel)
        tracer.startSpan("closing", context: night.context).end()
        night.end()
        await tracer.exporter.flush()
        let spans = try collector.spans()
        #expect(spans.map { $0["name"] as? String } == ["closing", "night"])
        #expect(spans.allSatisfy { $0["kind"] as? Int == 1 })
        #expect(spans[0]["parentSpanId"] as? String == spans[1]["spanId"] as? String)
        #expect(spans[0]["traceId"] as? String == spans[1]["traceId"] as? String)
        #expect(spans[1]["parentSpanId"] == nil)
    }

    @Test func `a trace that is not sampled is not exported`() async throws {
        let collector = Collector()
        let tracer = collector.tracer
        var context = InstrumentationContext.topLevel
        context.trace = TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00")
        tracer.startSpan("GET /livez", context: context, ofKind: .server).end()
        await tracer.exporter.flush()
        #expect(collector.attempts == 0)
    }

    @Test func `spans that don't fit the queue are dropped and counted`() async throws {
        let collector = Collector()
        let tracer = collector.tracer
        for _ in 0..<TraceExporter.capacity + 7 { tracer.startSpan("night", context: .topLevel).end() }
        #expect(tracer.exporter.lost == 7)
        await tracer.exporter.flush()
        #expect(collector.attempts == TraceExporter.capacity / TraceExporter.batch)
        #expect(try collector.spans().count == TraceExporter.capacity)
    }

    @Test(arguments: [nil, 429, 502, 503, 504]) func `a batch gets a second attempt`(status: Int?) async throws {
        let collector = Collector(status)
        let tracer = collector.tracer
        tracer.startSpan("night", context: .topLevel).end()
        await tracer.exporter.flush()
        #expect(collector.attempts == 2 && collector.accepted.count == 1)
        #expect(tracer.exporter.lost == 0 && collector.logs.text.isEmpty)
    }

    @Test func `a batch that the collector rejects is not sent again`() async throws {
        let collector = Collector(400)
        let tracer = collector.tracer
        tracer.startSpan("night", context: .topLevel).end()
        await tracer.exporter.flush()
        #expect(collector.attempts == 1 && tracer.exporter.lost == 1)
        #expect(collector.logs.text.contains("status 400"))
    }

    @Test func `the log has one line for an outage, and another for its end`() async throws {
        let collector = Collector(400, 401, 404)
        let tracer = collector.tracer
        for _ in 1...5 {
            tracer.startSpan("night", context: .topLevel).end()
            await tracer.exporter.flush()
        }
        #expect(tracer.exporter.lost == 3 && collector.accepted.count == 2)
        let lines = collector.logs.text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.hasPrefix("warning the collector accepts no trace spans") == true)
        #expect(lines.last?.hasPrefix("notice the collector accepts trace spans again") == true)
    }

    @Test func `a full batch is sent at once, and the rest when the service ends`() async throws {
        let collector = Collector()
        let tracer = collector.tracer
        let running = Task { try await tracer.exporter.run() }
        for _ in 0..<TraceExporter.batch { tracer.startSpan("night", context: .topLevel).end() }
        // The timer's first batch would take five seconds.
        #expect(try await eventually(within: .seconds(3)) { collector.attempts == 1 })
        tracer.startSpan("night", context: .topLevel).end()
        running.cancel()
        try await running.value
        #expect(try collector.spans().count == TraceExporter.batch + 1)
    }

    @Test func `a collector that never responds delays shutdown by at most five seconds`() async throws {
        let logs = LogRecords()
        let exporter = TraceExporter(version: "1.2.3", logger: logs.logger) { _ in
            try await Task.sleep(for: .seconds(60))
            return 200
        }
        CollectorTracer(exporter: exporter).startSpan("night", context: .topLevel).end()
        let took = await ContinuousClock().measure { await exporter.flush() }
        #expect(took >= .seconds(5) && took < .seconds(20))
        #expect(exporter.lost == 1 && logs.text.contains("the program ends without sending its last trace spans"))
    }
}
