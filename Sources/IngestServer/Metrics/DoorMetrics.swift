internal import CensusCore
internal import CensusStore

/// What the door counts of itself. Every label is a word of ours: nothing that a client sends can add a series.
final class DoorMetrics: Sendable {
    private let requests: [Route: [Int: Counter]]
    private let problems: [String: Counter]
    private let seconds: [Route: Histogram]
    private let refused: [String: Counter]
    private let stored = Counter()
    private let redelivered = Counter()
    private let conflicting = Counter()
    private let commitSeconds = Histogram.ofDurations()
    private let commitRequests = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512])
    private let commitRows = Histogram(bounds: [1, 4, 16, 64, 256, 1_024, 4_096, 16_384])
    private let commitFailures = Counter()

    /// What is none of these is told as "other".
    private static let statuses = [200, 202, 304, 400, 401, 403, 404, 405, 408, 413, 415, 422, 429, 503]
    private static let otherStatus = 0
    private static let other = "other"

    init() {
        var requests: [Route: [Int: Counter]] = [:]
        var seconds: [Route: Histogram] = [:]
        for route in Route.allCases {
            for status in DoorMetrics.statuses + [DoorMetrics.otherStatus] {
                requests[route, default: [:]][status] = Counter()
            }
            seconds[route] = .ofDurations()
        }
        self.requests = requests
        self.seconds = seconds
        self.problems = DoorMetrics.counters(Problem.codes)
        self.refused = DoorMetrics.counters(Refusal.codes)
    }

    func countRequest(_ route: Route, status: Int, code: String?, took: Duration) {
        let byStatus = requests[route]
        (byStatus?[status] ?? byStatus?[DoorMetrics.otherStatus])?.add()
        seconds[route]?.observe(took)
        if let code { (problems[code] ?? problems[DoorMetrics.other])?.add() }
    }

    func countRefused(_ events: [RefusedEvent]) {
        for event in events { (refused[event.refusal.code] ?? refused[DoorMetrics.other])?.add() }
    }

    func countCommit(_ outcome: AppendOutcome, requests: Int, rows: Int, took: Duration) {
        stored.add(outcome.stored)
        redelivered.add(outcome.came - outcome.stored)
        conflicting.add(outcome.conflicting)
        commitRequests.observe(requests)
        commitRows.observe(rows)
        commitSeconds.observe(took)
    }

    func countFailedCommit() { commitFailures.add() }

    private static func counters(_ codes: [String]) -> [String: Counter] {
        var counters = [other: Counter()]
        for code in codes { counters[code] = Counter() }
        return counters
    }
}

extension DoorMetrics {
    /// Series that were never counted up are left out, but for those that alarms watch from the first moment.
    func write(to exposition: inout Exposition) {
        let requests = Route.allCases.flatMap { route in
            (self.requests[route] ?? [:]).sorted { $0.key < $1.key }.compactMap { status, counter in
                counter.value > 0 ? ([route.rawValue, DoorMetrics.name(status)], "\(counter.value)") : nil
            }
        }
        exposition.add(.requests, requests)
        exposition.add(.problems, DoorMetrics.samples(problems))
        exposition.add(
            .requestSeconds,
            Route.allCases.compactMap { route in
                seconds[route].map { ([route.rawValue], $0) }
            }, unit: 1_000_000_000)
        let refusedCount = refused.values.reduce(0) { $0 + $1.value }
        exposition.add(
            .events,
            [
                (["stored"], "\(stored.value)"), (["redelivered"], "\(redelivered.value)"),
                (["refused"], "\(refusedCount)"),
            ])
        exposition.add(.refusedEvents, DoorMetrics.samples(refused))
        exposition.add(.conflictingEvents, conflicting.value)
        exposition.add(.commitSeconds, [([], commitSeconds)], unit: 1_000_000_000)
        exposition.add(.commitRequests, [([], commitRequests)])
        exposition.add(.commitRows, [([], commitRows)])
        exposition.add(.commitFailures, commitFailures.value)
    }

    private static func name(_ status: Int) -> String { status == otherStatus ? other : String(status) }

    private static func samples(_ counters: [String: Counter]) -> [(labels: [String], value: String)] {
        counters.sorted { $0.key < $1.key }.map { ([$0.key], "\($0.value.value)") }
    }
}
