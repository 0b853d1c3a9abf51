/// The limits of the queue, so that even a phone that is offline for a year doesn't notice it.
struct QueueLimits: Hashable, Sendable {
    var files = 1000
    var bytes = 2 << 20

    /// Returns the events to evict before adding one: those of the lowest rank, the oldest first.
    ///
    /// Evicts more taps and renderings than necessary, because they are frequent and the next one would evict again.
    ///
    /// - Returns: can include the new event itself, if all others have a higher rank.
    func evictions(from waiting: [EventName], adding new: EventName) -> [EventName] {
        let candidates = (waiting + [new]).sorted { ($0.rank, $0) < ($1.rank, $1) }
        var count = candidates.count
        var size = candidates.reduce(0) { $0 + $1.bytes }
        guard count > files || size > bytes else { return [] }
        return Array(
            candidates.prefix { candidate in
                let isCheap = candidate.rank <= .opened && candidate != new
                let isFull = count > files || size > bytes
                let isNearlyFull = count > files - files / 20 || size > bytes - bytes / 20
                guard isFull || (isCheap && isNearlyFull) else { return false }
                count -= 1
                size -= candidate.bytes
                return true
            })
    }
}
