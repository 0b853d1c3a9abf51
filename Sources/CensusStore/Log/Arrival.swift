internal import CensusCore

/// What is noted of a batch beside its observations: when they fell, for whoever reconciles the device, and how many were
/// reads of the list.
struct Arrival: Sendable {
    /// On the server's clock.
    var earliestAt: Timestamp
    /// As sent.
    var occurredFrom: Timestamp
    /// By the start of their quarter of an hour, on the server's clock.
    var reads: [Timestamp: ReadCount] = [:]

    /// - Returns: nil when no event was accepted.
    init?(_ batch: Batch) {
        let events = batch.events.compactMap { try? $0.get() }
        guard let first = events.first else { return nil }
        (earliestAt, occurredFrom) = (first.at, first.occurredAt)
        for event in events {
            earliestAt = min(earliestAt, event.at)
            occurredFrom = min(occurredFrom, event.occurredAt)
            if batch.circumstances.channel == "production" { reads[event.at.quarter, default: .none].add(event.event) }
        }
        reads = reads.filter { $0.value != .none }
    }

    init(earliestAt: Timestamp, occurredFrom: Timestamp, reads: [Timestamp: ReadCount]) {
        self.earliestAt = earliestAt
        self.occurredFrom = occurredFrom
        self.reads = reads
    }
}

/// How often the list was read, and how often in vain.
struct ReadCount: Hashable, Sendable {
    var reads: Int64
    /// Of these.
    var failed: Int64

    static let none = ReadCount(reads: 0, failed: 0)

    mutating func add(_ event: Event) {
        switch event {
        case .reported: reads += 1
        case .readFailed: (reads, failed) = (reads + 1, failed + 1)
        default: break
        }
    }

    static func += (left: inout ReadCount, right: ReadCount) {
        left.reads += right.reads
        left.failed += right.failed
    }
}

extension Timestamp {
    /// When its quarter of an hour began: days do so at one in every zone.
    fileprivate var quarter: Timestamp {
        let length: Int64 = 900_000_000
        let rest = microseconds % length
        return Timestamp(microseconds: microseconds - (rest < 0 ? rest + length : rest))
    }
}
