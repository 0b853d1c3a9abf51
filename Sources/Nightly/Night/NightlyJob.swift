package import CensusCore
package import CensusStore
package import Logging
package import Tracing

/// Closes days: reconciles committed observations, counts every day that is new or changed, and maintains partitions.
package struct NightlyJob: Sendable {
    private let store: Store
    private let logger: Logger
    private let tracer: (any Tracer)?

    /// - Parameter tracer: gets a span for each night and for each of its steps.
    package init(store: Store, logger: Logger, tracer: (any Tracer)? = nil) {
        self.store = store
        self.logger = logger
        self.tracer = tracer
    }

    /// Runs a night, and records the run in `census.night_run`.
    ///
    /// A failure of one app, or of one part, is noted in the summary and stops nothing else. If an app's days can't be closed
    /// from its ledger's entries, this recounts its ledger from the spans and closes them.
    ///
    /// - Parameters:
    ///   - day: the last day to close; nil for the last day that has ended in each app's zone.
    ///   - app: one app's id, or nil for all.
    ///   - rebuilds: recounts the ledger from the stored spans.
    ///   - verifies: compares the ledger with a new count from the spans, and runs every report's own checks.
    ///   - progress: called often, from several threads.
    /// - Throws: ``StoreError`` with fault `request` if `day` has not ended yet, or there is no such app; nothing was done
    ///   then. With fault `away` if the store is away; finished work is kept.
    package func run(
        day: Day? = nil, app: String? = nil, rebuilds: Bool = false, verifies: Bool = false,
        progress: @escaping @Sendable (NightProgress) -> Void = { _ in }
    ) async throws(StoreError) -> Summary {
        var only: App?
        if let app { only = try await store.apps.app(app) }
        _ = try await store.ledger.due(app: app, through: day)
        let run = try await store.nights.begin()
        let span = tracer?.startSpan("night", context: .topLevel)
        defer { span?.end() }
        var night = NightInProgress(
            store: store, logger: logger, day: day, app: app, rebuilds: rebuilds, verifies: verifies,
            progress: progress,
            startSpan: { [tracer] step in
                span.flatMap { tracer?.startSpan(step.rawValue, context: $0.context) }
            })
        do throws(StoreError) {
            try await night.run()
        } catch {
            span?.fail(error)
            await writeDown(error, of: run, night.summary, only)
            throw error
        }
        let summary = night.summary
        try await store.nights.end(
            run, summary.record, failure: summary.failure, failures: summary.reported, app: only)
        return summary
    }

    /// Records a failure in its own task, which gets 2 s, because the night might have been cancelled, or the store is away.
    private func writeDown(_ error: StoreError, of run: Int64, _ summary: Summary, _ app: App?) async {
        let (failure, failures): (String, [NightFailure]?) =
            Task.isCancelled ? ("interrupted", nil) : (error.description, [NightFailure(reason: error.description)])
        await Task { [store] in
            try? await store.within(.seconds(2)) { store in
                try await store.nights.end(run, summary.record, failure: failure, failures: failures, app: app)
            }
        }.value
    }
}
