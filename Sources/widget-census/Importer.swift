internal import CensusCore
internal import CensusStore
internal import Foundation

/// Reads batches that were kept and gives them to the store as the door would have, many to a commit.
struct Importer {
    struct Problem {
        /// Counted from 1.
        var line: Int
        var reason: String
    }

    struct Summary: Sendable {
        var lines = 0
        var events = 0
        var stored = 0
        var refused = 0
        var badLines = 0
    }

    struct Progress {
        var summary: Summary
        var seconds: Double
        /// 0...1; nil when the size is not known.
        var share: Double?

        var line: String {
            let rate = seconds > 0 ? Int(Double(summary.events) / seconds) : 0
            guard let share, share > 0 else { return "\(summary.events) events, \(rate)/s" }
            let filled = Int(share * 30)
            let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: 30 - filled)
            let left = Int((seconds / share - seconds).rounded(.up))
            return "\(bar) \(Int(share * 100)) %  \(summary.events) events, \(rate)/s, \(left) s left"
        }
    }

    /// Events a commit: enough to be cheap, few enough that progress is seen and memory stays small.
    private static let eventsPerCommit = 10_000

    private let store: Store
    private let secret: Secret
    private let decoder: BatchDecoder

    /// - Parameter retention: an event older than this when it was received is refused.
    init(store: Store, secret: Secret, retention: Duration) {
        self.store = store
        self.secret = secret
        var limits = Limits()
        limits.retention = retention
        decoder = BatchDecoder(limits: limits)
    }

    func run(
        _ lines: LineReader, bytes: Int?, onProblem: (Problem) -> Void, progress: (Progress) -> Void
    ) async throws -> Summary {
        let apps = Dictionary(uniqueKeysWithValues: try await store.apps().map { (Text($0.id), $0) })
        let names = NameGate(store: store)
        let started = ContinuousClock.now
        var summary = Summary()
        var parcels: [Parcel] = []
        var waiting = 0

        // While one commit is under way the next is read and decoded.
        var commit: Task<Int, any Error>?

        func finishCommit() async throws {
            summary.stored += try await commit?.value ?? 0
            commit = nil
        }

        func flush() async throws {
            try await finishCommit()
            commit = Task { [store, parcels] in try await store.append(parcels, deadline: .seconds(120)).stored }
            parcels.removeAll()
            waiting = 0
            let share = bytes.map { Double(lines.bytesRead) / Double(max($0, 1)) }
            progress(Progress(summary: summary, seconds: (ContinuousClock.now - started) / .seconds(1), share: share))
        }

        func skip(_ line: LineReader.Line, _ reason: String) {
            summary.badLines += 1
            onProblem(Problem(line: line.number, reason: reason))
        }

        while let line = try lines.next() {
            try Task.checkCancellation()
            if line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
            let batch: Batch
            let received: Timestamp
            do throws(EnvelopeError) {
                (batch, received) = try decoder.decodeArchived(line.bytes)
            } catch {
                skip(line, "\(error.message) (\(error.pointer))")
                continue
            }
            guard let app = apps[Text(batch.appID)] else {
                skip(line, "the app is not known here: add it with `widget-census apps add` (/app/id)")
                continue
            }
            let admitted = try await names.admit(batch, caps: app.caps)
            let parcel = Parcel(admitted, appNumber: app.number, secret: secret, received: received)
            parcels.append(parcel)
            waiting += parcel.count
            summary.lines += 1
            summary.events += parcel.count
            summary.refused += parcel.refusedCount
            if waiting >= Importer.eventsPerCommit { try await flush() }
        }
        if !parcels.isEmpty { try await flush() }
        try await finishCommit()
        return summary
    }
}
