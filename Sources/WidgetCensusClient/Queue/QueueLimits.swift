/// How much may wait. A phone that is offline for a year must not notice.
struct QueueLimits: Hashable, Sendable {
    var files = 1000
    var bytes = 2 << 20

    /// What must go before an event is added: what is worth least, and of that the oldest.
    ///
    /// More taps and renderings go than necessary, because they are frequent and the next one would evict again.
    ///
    /// - Returns: may hold the new event itself, where everything that waits is worth more.
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
