internal import CensusCore

/// What is stored about a batch besides its observations: their times, for reconciling, and how many were reads of the list.
struct Arrival: Sendable {
    /// On the server's clock.
    var earliestAt: Timestamp
    /// As sent.
    var occurredFrom: Timestamp
    /// As sent; nil if unknown, because the spool doesn't store it.
    var occurredThrough: Timestamp?
    /// By the start of their quarter of an hour, on the server's clock.
    var reads: [Timestamp: ReadCount] = [:]
}

extension Arrival {
    /// - Returns: nil if no event was accepted.
    init?(_ batch: Batch) {
        guard let first = batch.events.lazy.compactMap({ try? $0.get() }).first else { return nil }
        self.init(earliestAt: first.at, occurredFrom: first.occurredAt)
        var latest = first.occurredAt
        let isCounted = batch.circumstances.isCounted
        for case .success(let event) in batch.events {
            earliestAt = min(earliestAt, event.at)
            occurredFrom = min(occurredFrom, event.occurredAt)
            latest = max(latest, event.occurredAt)
            if isCounted, let read = ReadCount(event.event) { reads[event.at.quarter, default: .none] += read }
        }
        occurredThrough = latest
    }

    /// Adds another batch of the device. Its reads are counted apart.
    mutating func addTimes(of other: Arrival) {
        earliestAt = min(earliestAt, other.earliestAt)
        occurredFrom = min(occurredFrom, other.occurredFrom)
        occurredThrough = occurredThrough.flatMap { mine in other.occurredThrough.map { max(mine, $0) } }
    }
}

/// How often the list was read, and how often that failed.
struct ReadCount: Sendable {
    var reads: Int64
    /// Included in `reads`.
    var failed: Int64

    static let none = ReadCount(reads: 0, failed: 0)

    static func += (left: inout ReadCount, right: ReadCount) {
        left.reads += right.reads
        left.failed += right.failed
    }
}

extension ReadCount {
    /// - Returns: nil if the event is not a read.
    fileprivate init?(_ event: EncodedEvent) {
        guard event.type == .widgetsReported else { return nil }
        self.init(reads: 1, failed: event.isFailedRead ? 1 : 0)
    }
}

extension Timestamp {
    /// The start of its quarter of an hour; in every zone, days begin at one of these.
    fileprivate var quarter: Timestamp {
        let length: Int64 = 900_000_000
        let rest = microseconds % length
        return Timestamp(microseconds: microseconds - (rest < 0 ? rest + length : rest))
    }
}
