import CensusCore
import CensusStore
import InMemoryTracing
import Nightly
import Testing
import Tracing

@Suite struct `Traces of a night` {
    @Test func `a night is a trace with a span for each step`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            let tracer = InMemoryTracer()
            _ = try await NightlyJob(store: test.store, logger: .quiet, tracer: tracer).run(day: .first + 78)
            let spans = tracer.finishedSpans
            #expect(
                spans.map(\.operationName) == ["reconciling", "closing", "watching", "deciding", "keeping", "night"])
            let night = try #require(spans.last)
            #expect(night.parentSpanID == nil && night.status == nil)
            for step in spans.dropLast() {
                #expect(step.traceID == night.traceID && step.parentSpanID == night.spanID && step.status == nil)
            }
        }
    }

    @Test func `a failed step marks its span as an error of a type`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await test.execute("alter table census.pending_device rename to out_of_reach")
            let tracer = InMemoryTracer()
            let job = NightlyJob(store: test.store, logger: .quiet, tracer: tracer)
            let night = try await job.run(day: .first + 78)
            #expect(night.failures.map(\.step) == [.reconciling])
            let failed = tracer.finishedSpans.filter { $0.status?.code == .error }
            #expect(failed.map(\.operationName) == ["reconciling"])
            #expect(failed.first?.attributes.get("error.type") == .string("ours"))
        }
    }
}
