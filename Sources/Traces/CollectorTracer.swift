internal import Synchronization
package import Tracing

/// Starts trace spans that a collector gets once they have ended.
package struct CollectorTracer: Tracer {
    package let exporter: TraceExporter

    package init(exporter: TraceExporter) {
        self.exporter = exporter
    }

    /// - Parameter context: its `trace` is the parent; without one, a trace begins.
    package func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> InstrumentationContext, ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant, function: String, file fileID: String, line: UInt
    ) -> TraceSpan {
        var context = context()
        let trace = context.trace?.child ?? TraceContext()
        context.trace = trace
        return TraceSpan(
            EndedSpan(trace: trace, name: operationName, kind: kind, start: instant().nanosecondsSinceEpoch), context,
            exporter)
    }

    /// Does nothing: ``TraceExporter/flush()`` waits.
    package func forceFlush() {}

    package func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier, into context: inout InstrumentationContext, using extractor: Extract
    ) where Extract.Carrier == Carrier {
        context.trace = extractor.extract(key: "traceparent", from: carrier).flatMap { TraceContext($0) }
    }

    package func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext, into carrier: inout Carrier, using injector: Inject
    ) where Inject.Carrier == Carrier {
        if let trace = context.trace { injector.inject(trace.header, forKey: "traceparent", into: &carrier) }
    }
}

/// A trace span that is not over yet. Events and links are not exported.
package final class TraceSpan: Span {
    package let context: InstrumentationContext
    package let isRecording: Bool
    /// Nil once it has ended.
    private let span: Mutex<EndedSpan?>
    private let exporter: TraceExporter

    fileprivate init(_ span: EndedSpan, _ context: InstrumentationContext, _ exporter: TraceExporter) {
        self.context = context
        isRecording = span.trace.isSampled
        self.span = Mutex(span)
        self.exporter = exporter
    }

    package var operationName: String {
        get { span.withLock { $0?.name ?? "" } }
        set { span.withLock { $0?.name = newValue } }
    }

    package var attributes: SpanAttributes {
        get { span.withLock { $0?.attributes ?? [:] } }
        set { span.withLock { $0?.attributes = newValue } }
    }

    package func setStatus(_ status: SpanStatus) { span.withLock { $0?.status = status.code } }

    /// Keeps only the error's type, because its text can name data.
    package func recordError<Instant: TracerInstant>(
        _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
    ) {
        span.withLock { span in
            span?.attributes["error.type"] = "\(type(of: error))"
            span?.status = .error
        }
    }

    package func addEvent(_ event: SpanEvent) {}

    package func addLink(_ link: SpanLink) {}

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let end = instant().nanosecondsSinceEpoch
        guard var ended = span.withLock({ $0.take() }), isRecording else { return }
        ended.end = max(end, ended.start)
        exporter.add(ended)
    }
}

extension InstrumentationContext {
    private enum TraceKey: InstrumentationContextKey {
        typealias Value = TraceContext
    }

    package var trace: TraceContext? {
        get { self[TraceKey.self] }
        set { self[TraceKey.self] = newValue }
    }
}
