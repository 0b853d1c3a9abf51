internal import CensusCore
internal import CensusStore
internal import Foundation
internal import History

/// Reads archived batches, or another tool's events, and stores them as the server would have, many per commit.
struct Importer {
    struct Problem {
        var file: String
        /// Counted from 1.
        var line: Int
        var reason: String

        var place: String { "\(file):\(line)" }
    }

    struct Summary: Sendable {
        var lines = 0
        var events = 0
        var stored = 0
        var refused = 0
        /// Events older than the retention: not stored again, because a base includes them or their device was forgotten.
        var past = 0
        var badLines = 0
        /// Events of another tool that the mapping leaves out.
        var ignored = 0
        /// By the event's name in another tool; empty if the files have batches of ours.
        var tallies: [Text: EventTally] = [:]
        /// The widgets in another tool's events, without what tells equal ones apart.
        var widgets: [Placement: WidgetTally] = [:]
        /// What in the mapping doesn't fit another tool's events.
        var remarks: [String] = []
        /// Of another tool's events: the first and the last.
        var period: ClosedRange<Timestamp>?

        /// Counts a line of another tool, and what became of it.
        mutating func tally(_ event: String?, _ count: (inout EventTally) -> Void) {
            guard let event else { return }
            count(&tallies[Text(event), default: EventTally(event: event)])
        }
    }

    struct Progress {
        /// Events of ours, or another tool's records.
        var count: Int
        var noun: String
        var seconds: Double
        /// 0...1; nil if the files' size is unknown.
        var share: Double?

        var line: String {
            let rate = seconds > 0 ? Int(Double(count) / seconds) : 0
            let counts = "\(count.counted(noun)), \(rate.grouped)/s"
            guard let share, share > 0 else { return counts }
            return ProgressBar.line(share, after: seconds, counts)
        }
    }

    /// Says a few times a second how far an import is.
    private struct ProgressWatch {
        private let started = ContinuousClock.now
        private var shown = ContinuousClock.now

        mutating func show(_ summary: Summary, _ files: InputFiles, _ show: (Progress) -> Void) {
            let now = ContinuousClock.now
            guard now - shown > .milliseconds(200) else { return }
            shown = now
            let isOurs = summary.tallies.isEmpty
            show(
                Progress(
                    count: isOurs ? summary.events : summary.lines + summary.badLines + summary.ignored,
                    noun: isOurs ? "event" : "record", seconds: (now - started) / .seconds(1),
                    share: files.bytes.map { Double(files.bytesRead) / Double(max($0, 1)) }))
        }
    }

    /// A batch whose names are registered, with everything else its rows need.
    private struct Admitted: Sendable {
        var batch: Batch
        var appNumber: Int32
        var received: Timestamp
    }

    /// What happened to the events of one commit.
    private struct Committed: Sendable {
        var stored = 0
        var past = 0
    }

    /// Commits run in parallel lanes, because one commit keeps only one PostgreSQL process busy. Each device belongs to one
    /// lane, so that its events are stored in file order.
    private static let laneCount = 2

    /// The batches of some of the devices, stored one commit after another. While a commit runs, the next one is collected.
    private struct Lane {
        private var batches: [Admitted] = []
        private(set) var events = 0
        var commit: Task<Committed, any Error>?

        mutating func add(_ batch: Admitted) {
            batches.append(batch)
            events += batch.batch.events.count
        }

        mutating func take() -> [Admitted] {
            defer { (batches, events) = ([], 0) }
            return batches
        }
    }

    /// Events per commit: enough to be cheap, few enough to show progress and to need little memory.
    private static let eventsPerCommit = 10_000

    private let store: Store
    private let secret: Secret
    private let decoder: BatchDecoder
    private let translator: HistoryTranslator?

    /// - Parameters:
    ///   - retention: events that were older when they were received are refused.
    ///   - translator: nil: the file has batches of ours.
    init(store: Store, secret: Secret, retention: Retention, translator: HistoryTranslator? = nil) {
        self.store = store
        self.secret = secret
        self.translator = translator
        var limits = Limits()
        limits.retention = .days(Int64(retention.days))
        decoder = BatchDecoder(limits: limits)
    }

    func run(
        _ files: InputFiles, onProblem: (Problem) -> Void, progress: (Progress) -> Void
    ) async throws -> Summary {
        let apps = Dictionary(uniqueKeysWithValues: try await store.apps.all().map { (Text($0.id), $0) })
        let names = NameLimiter(store: store)
        var summary = Summary(of: translator)
        var watch = ProgressWatch()
        var lanes = [Lane](repeating: Lane(), count: Importer.laneCount)

        func finishCommit(of lane: Int) async throws {
            guard let committed = try await lanes[lane].commit?.value else { return }
            summary.stored += committed.stored
            summary.past += committed.past
            lanes[lane].commit = nil
        }

        func flush(_ lane: Int) async throws {
            try await finishCommit(of: lane)
            guard lanes[lane].events > 0 else { return }
            let batches = lanes[lane].take()
            lanes[lane].commit = Task { try await store(batches) }
        }

        let decoding = BatchLines(files, decoder: decoder, translator: translator)
        while let decoded = try await decoding.next() {
            watch.show(summary, files, progress)
            for line in decoded {
                try Task.checkCancellation()
                guard let (batch, received) = summary.take(line, onProblem) else { continue }
                guard let app = apps[Text(batch.appID)] else {
                    summary.skip(line, "unknown app: add it with `widget-census apps add` (/app/id)", onProblem)
                    continue
                }
                let admitted = try await names.admit(batch, caps: app.caps)
                let lane = Int(batch.deviceID.hashValue.magnitude % UInt(lanes.count))
                lanes[lane].add(Admitted(batch: admitted, appNumber: app.number, received: received))
                summary.count(admitted, of: line, onProblem)
                if lanes[lane].events >= Importer.eventsPerCommit { try await flush(lane) }
            }
        }
        for lane in lanes.indices { try await flush(lane) }
        for lane in lanes.indices { try await finishCommit(of: lane) }
        summary.remark(on: decoding)
        return summary
    }

    private func store(_ batches: [Admitted]) async throws -> Committed {
        let left = try await withoutPast(batches)
        let batches = left.batches.map { admitted in
            BatchRows(admitted.batch, appNumber: admitted.appNumber, secret: secret, received: admitted.received)
        }
        return Committed(stored: try await store.log.append(batches, within: .seconds(120)).stored, past: left.past)
    }

    /// Removes events that retention may have dropped since they first arrived: those that the device's base includes, or whose
    /// device was forgotten. Events of the same age from other devices never arrived before, so they are accepted.
    private func withoutPast(_ batches: [Admitted]) async throws -> (batches: [Admitted], past: Int) {
        // Read for every commit, because a night can drop days while the import runs.
        guard let first = try await store.upkeep.retention().keptFrom else { return (batches, 0) }
        let keptFrom = ReportingZone.utc.start(of: first)
        let old = batches.filter { $0.batch.hasEvents(before: keptFrom) }
        guard !old.isEmpty else { return (batches, 0) }
        let takenFrom = try await store.upkeep.takenFrom(
            of: Dictionary(old.map { (device($0), $0.appNumber) }) { first, _ in first })
        var (left, past) = (batches, 0)
        for position in left.indices {
            guard left[position].batch.hasEvents(before: keptFrom), let start = takenFrom[device(left[position])] else {
                continue
            }
            let before = left[position].batch.events.count
            left[position].batch.events.removeAll { $0.isAccepted(before: start) }
            past += before - left[position].batch.events.count
        }
        left.removeAll { $0.batch.events.isEmpty }
        return (left, past)
    }

    private func device(_ admitted: Admitted) -> Pseudonym {
        secret.device(admitted.batch.deviceID, app: admitted.batch.appID)
    }
}

extension Importer {
    /// Reads files and stores nothing, so it knows neither the apps nor their caps.
    static func dryRun(
        _ files: InputFiles, translator: HistoryTranslator?, onProblem: (Problem) -> Void,
        progress: (Progress) -> Void
    ) async throws -> Summary {
        var summary = Summary(of: translator)
        var watch = ProgressWatch()
        let decoding = BatchLines(files, decoder: BatchDecoder(), translator: translator)
        while let decoded = try await decoding.next() {
            watch.show(summary, files, progress)
            for line in decoded {
                try Task.checkCancellation()
                guard let (batch, _) = summary.take(line, onProblem) else { continue }
                summary.count(batch, of: line, onProblem)
                if translator != nil { summary.look(into: batch) }
            }
        }
        summary.remark(on: decoding)
        return summary
    }
}

extension Importer.Summary {
    /// With a tally for each event that the mapping names.
    fileprivate init(of translator: HistoryTranslator?) {
        for event in translator.map({ Array($0.events) }) ?? [] { tally(event) { _ in } }
    }

    /// - Returns: the line's batch; nil if it has none, which is counted.
    fileprivate mutating func take(
        _ line: BatchLines.Decoded, _ onProblem: (Importer.Problem) -> Void
    ) -> (Batch, Timestamp)? {
        tally(line.event) { $0.records += 1 }
        switch line.outcome {
        case .batch(let batch, let received): return (batch, received)
        case .bad(let reason): skip(line, reason, onProblem)
        case .ignored(let omission):
            ignored += 1
            tally(line.event) { $0.ignore(omission) }
        }
        return nil
    }

    fileprivate mutating func skip(
        _ line: BatchLines.Decoded, _ reason: String, _ onProblem: (Importer.Problem) -> Void
    ) {
        badLines += 1
        let problem = Importer.Problem(file: line.file, line: line.number, reason: reason)
        tally(line.event) {
            $0.failed += 1
            $0.fail(at: problem.place, reason)
        }
        onProblem(problem)
    }

    fileprivate mutating func count(
        _ batch: Batch, of line: BatchLines.Decoded, _ onProblem: (Importer.Problem) -> Void
    ) {
        lines += 1
        events += batch.events.count
        for event in batch.events {
            switch event {
            case .success(let counted):
                tally(line.event) { $0.count(counted, of: batch) }
            case .failure(let refused):
                self.refused += 1
                let reason = "refused: \(refused.refusal.code): \(refused.refusal.message)"
                let problem = Importer.Problem(file: line.file, line: line.number, reason: reason)
                tally(line.event) {
                    $0.refused += 1
                    $0.fail(at: problem.place, reason)
                }
                onProblem(problem)
            }
        }
    }

    fileprivate mutating func remark(on lines: BatchLines) {
        remarks = lines.remarks + tallies.values.compactMap(\.excess).sorted()
    }

    /// Counts the widgets in a batch's events.
    fileprivate mutating func look(into batch: Batch) {
        for case .success(let event) in batch.events {
            period = min(period?.lowerBound ?? event.at, event.at)...max(period?.upperBound ?? event.at, event.at)
            for placement in (try? event.event.decoded())?.placements ?? [] {
                let widget = Placement(kind: placement.kind, family: placement.family)
                widgets[widget, default: WidgetTally(widget: widget)].events += 1
            }
        }
    }
}

extension Batch {
    fileprivate func hasEvents(before time: Timestamp) -> Bool { events.contains { $0.isAccepted(before: time) } }
}

extension Result<BatchEvent, RefusedEvent> {
    fileprivate func isAccepted(before time: Timestamp) -> Bool {
        guard case .success(let event) = self else { return false }
        return event.at < time
    }
}
