internal import CensusCore
internal import CensusStore
internal import Spool

/// The server's own counters. Every label is one of the program's words, so nothing that a client sends can add a series.
final class IngestMetrics: Sendable {
    /// By the route's name.
    private let answers: [String: Answers]
    private let problems: [String: Counter]
    private let refused: [String: Counter]
    private let warnings: [String: Counter]
    private let segmentCalls = [Counter(), Counter(), Counter()]
    private let stored = Counter()
    private let redelivered = Counter()
    private let conflicting = Counter()
    private let commitSeconds = Histogram.ofDurations()
    private let commitRequests = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
    private let commitRows = Histogram(bounds: [1, 4, 16, 64, 256, 1_024, 4_096, 16_384])
    private let commitFailures = Counter()
    private let spooledBatches = Counter()
    private let drainedBatches = Counter()
    private let spoolFailures = Counter()
    private let spoolLosses = Counter()
    private let turnedAway = [Counter(), Counter(), Counter()]
    private let staleGallery = [Counter(), Counter()]

    /// The resource that was short when a request was turned away.
    enum Shortage: Int, CaseIterable {
        /// The memory budget, of the key or of all requests.
        case room
        /// The queue of large bodies that wait to be decoded.
        case line
        /// The machine's memory.
        case memory

        var name: String { "\(self)" }
    }

    /// Whether a gallery response is for one device or for all.
    enum GalleryForm: Int, CaseIterable {
        case general, device

        var name: String { "\(self)" }
    }

    private struct Answers {
        /// In the order of ``statuses``: faster than a dictionary.
        let byStatus = (0...IngestMetrics.statuses.count).map { _ in Counter() }
        let seconds = Histogram.ofDurations()
    }

    private static let routes = Route.names + [Route.other]
    /// The most common first. Any other is counted as "other", last.
    private static let statuses = [
        202, 200, 201, 204, 303, 304, 400, 401, 403, 404, 405, 408, 409, 413, 415, 422, 429, 503,
    ]
    private static let other = "other"

    init() {
        self.answers = Dictionary(uniqueKeysWithValues: IngestMetrics.routes.map { ($0, Answers()) })
        self.problems = IngestMetrics.counters(Problem.codes)
        self.refused = IngestMetrics.counters(Refusal.codes)
        self.warnings = IngestMetrics.counters(BatchWarning.Code.allCases.map(\.rawValue))
    }

    /// - Parameter route: ``Route/name``, or ``Route/other``.
    func countRequest(_ route: String, status: Int, code: String?, took: Duration) {
        let answers = answers[route]
        answers?.byStatus[IngestMetrics.statuses.firstIndex(of: status) ?? IngestMetrics.statuses.count].add()
        answers?.seconds.observe(took)
        if let code { (problems[code] ?? problems[IngestMetrics.other])?.add() }
    }

    /// - Parameter warnings: of a batch; each code counts once.
    func count(refused events: [RefusedEvent], warnings: [BatchWarning]) {
        for event in events { (refused[event.refusal.code] ?? refused[IngestMetrics.other])?.add() }
        for code in Set(warnings.map(\.code)) { self.warnings[code.rawValue]?.add() }
    }

    /// Counts calls of Segment's clients: those about widgets, those meant to be, and others.
    func countSegment(taken: Int, unreadable: Int, ignored: Int) {
        for (counter, count) in zip(segmentCalls, [taken, unreadable, ignored]) { counter.add(count) }
    }

    func countCommit(_ outcome: AppendOutcome, requests: Int, rows: Int, took: Duration) {
        count(outcome)
        commitRequests.observe(requests)
        commitRows.observe(rows)
        commitSeconds.observe(took)
    }

    func countTurnedAway(_ shortage: Shortage) { turnedAway[shortage.rawValue].add() }

    func countStaleGallery(_ form: GalleryForm) { staleGallery[form.rawValue].add() }

    func countFailedCommit() { commitFailures.add() }

    func countSpooled(_ batches: Int) { spooledBatches.add(batches) }

    func countSpoolLosses(_ batches: Int) { spoolLosses.add(batches) }

    func countSpoolFailures(_ batches: Int) { spoolFailures.add(batches) }

    /// Events are counted here and not when they are spooled, so that each counts once, with the outcome that the store found.
    func countDrained(_ outcome: AppendOutcome, batches: Int) {
        count(outcome)
        drainedBatches.add(batches)
    }

    private func count(_ outcome: AppendOutcome) {
        stored.add(outcome.stored)
        redelivered.add(outcome.received - outcome.stored)
        conflicting.add(outcome.conflicting)
    }

    private static func counters(_ codes: [String]) -> [String: Counter] {
        var counters = [other: Counter()]
        for code in codes { counters[code] = Counter() }
        return counters
    }
}

extension IngestMetrics {
    /// Series that are still 0 are left out, except those that alerts watch from the start.
    func write(to exposition: inout Exposition) {
        let names = IngestMetrics.statuses.map(String.init) + [IngestMetrics.other]
        let answers = IngestMetrics.routes.compactMap { route in self.answers[route].map { (route, $0) } }
        let requests = answers.flatMap { route, answers in
            zip(names, answers.byStatus).compactMap { status, counter in
                counter.value > 0 ? ([route, status], "\(counter.value)") : nil
            }
        }
        exposition.add(.requests, requests)
        exposition.add(.problems, IngestMetrics.samples(problems))
        exposition.add(
            .requestSeconds, answers.map { ([$0], $1.seconds) }, unit: 1_000_000_000)
        let refusedCount = refused.values.reduce(0) { $0 + $1.value }
        exposition.add(
            .events,
            [
                (["stored"], "\(stored.value)"), (["redelivered"], "\(redelivered.value)"),
                (["refused"], "\(refusedCount)"),
            ])
        exposition.add(.refusedEvents, IngestMetrics.samples(refused))
        exposition.add(.warnedBatches, IngestMetrics.samples(warnings).filter { $0.labels != [IngestMetrics.other] })
        exposition.add(
            .segmentCalls, zip(["taken", "unreadable", "ignored"], segmentCalls).map { ([$0], "\($1.value)") })
        exposition.add(.conflictingEvents, conflicting.value)
        exposition.add(.commitSeconds, [([], commitSeconds)], unit: 1_000_000_000)
        exposition.add(.commitRequests, [([], commitRequests)])
        exposition.add(.commitRows, [([], commitRows)])
        exposition.add(.commitFailures, commitFailures.value)
        exposition.add(
            .turnedAway, Shortage.allCases.map { ([$0.name], "\(turnedAway[$0.rawValue].value)") })
        exposition.add(
            .staleGallery, GalleryForm.allCases.map { ([$0.name], "\(staleGallery[$0.rawValue].value)") })
    }

    /// - Parameter spool: without one, the metrics are those of a spool that holds nothing and accepts nothing.
    func write(_ spool: BatchSpool?, to exposition: inout Exposition) {
        let level = spool?.level
        exposition.add(.spoolBatches, level?.batches ?? 0)
        exposition.add(.spoolBytes, level?.bytes ?? 0)
        exposition.add(.spoolLimit, level?.limit ?? 0)
        exposition.add(.spoolSetAside, level?.setAside ?? 0)
        exposition.add(.spooledBatches, spooledBatches.value)
        exposition.add(.spoolDrained, drainedBatches.value)
        exposition.add(.spoolFailures, spoolFailures.value)
        exposition.add(.spoolLosses, spoolLosses.value)
        exposition.add(.spoolDamagedFiles, spool?.damagedFiles ?? 0)
    }

    private static func samples(_ counters: [String: Counter]) -> [(labels: [String], value: String)] {
        counters.sorted { $0.key < $1.key }.map { ([$0.key], "\($0.value.value)") }
    }
}
