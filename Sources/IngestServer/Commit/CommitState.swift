/// Every decision of ``GroupCommit``, as a value: events go in, actions come out. It has no store, spool, task or clock.
///
/// A batch waits in ``queue``, then in the group that is being committed, or in ``handedOver`` for the spool. If its commit
/// hangs, it can be in both of the latter. Its sender gets one answer, from whichever ends first.
struct CommitState<Sender: Sendable> {
    typealias Instant = ContinuousClock.Instant

    struct Limits: Sendable {
        /// Groups being committed at the same time, each on its own connection.
        var committers = 2
        /// Rows that must wait before another committer starts. Statements cost more than rows, so one committer is enough for
        /// few rows.
        var rowsForAnother = 500
        /// The least time from the beginning of one commit to the next, unless ``rowsAtOnce`` rows wait. A commit costs as much
        /// as about twenty rows, and phones don't notice the delay. The first request after a pause doesn't wait.
        var gathering: Duration = .milliseconds(10)
        /// Rows that are enough for a commit without gathering more.
        var rowsAtOnce = 32
        /// Rows in one group: large enough to be cheap, small enough that nobody waits long.
        var rowsPerGroup = 10_000
        /// Bytes in one group. They are copied to the store, for up to ``committers`` groups at a time.
        var bytesPerGroup = 8 << 20
        /// Bytes in one transaction of the spool, which copies them while it writes.
        var bytesPerSpooledGroup = 8 << 20
        /// Bytes that can wait. Beyond that, requests are turned away.
        var waitingBytes = 64 << 20
    }

    enum Verdict: Hashable {
        /// Committed, or on the spool's disk.
        case kept
        /// The commit failed with an error.
        case failed
        /// Neither the store nor the spool stored it in time.
        case tooSlow
        /// The store is unavailable, and the spool accepts no more.
        case notSpooled
    }

    enum Action: Sendable {
        case answer(Sender, Verdict)
        /// Commit what ``nextGroup(at:isTakenOver:)`` returns, until it returns nil.
        case startCommitting
        /// Call ``gathered()`` at that time.
        case gather(until: Instant)
        /// Spool what ``nextSpooledGroup()`` returns, until it returns nil.
        case startSpooling
        /// Call ``tick(_:)`` every ``tickInterval`` while ``isWatched``.
        case startWatching
        /// This many requests waited too long to be tried, and there is no spool.
        case reportLate(Int)
    }

    /// A batch that has arrived. Immutable, and a class so that groups of batches are cheap to pass on.
    final class Waiting: Sendable {
        /// Increases with every batch.
        fileprivate let ticket: Int
        let sender: Sender
        let rows: Int
        let bytes: Int
        let arrivedAt: Instant

        fileprivate init(ticket: Int, sender: Sender, rows: Int, bytes: Int, arrivedAt: Instant) {
            self.ticket = ticket
            self.sender = sender
            self.rows = rows
            self.bytes = bytes
            self.arrivedAt = arrivedAt
        }
    }

    /// A batch whose sender waits for an answer.
    private struct Place {
        let waiting: Waiting
        var isHandedOver = false
        var isAnswered = false
    }

    static var tickInterval: Duration { .milliseconds(100) }

    let limits: Limits
    let patience: Patience
    let hasSpool: Bool
    private(set) var queue: [Waiting] = []
    private(set) var handedOver: [Waiting] = []
    /// The bytes in ``queue`` and ``handedOver``, and those that the spool is writing.
    private(set) var waitingBytes = 0
    private(set) var queuedRows = 0
    private(set) var committers = 0
    /// Requests in the groups of the committers.
    private(set) var committing = 0
    /// Requests that had come to wait when the newest commit ended.
    private var leftBehind = 0
    private(set) var isGathering = false
    private var lastBegun: Instant?
    private(set) var isSpooling = false
    private(set) var isWatched = false
    /// The batches without an answer, the oldest first. Of the answered ones, those behind others are removed at the next tick.
    private var places: [Place] = []
    private var lastTicket = 0

    init(limits: Limits = Limits(), patience: Patience, hasSpool: Bool) {
        self.limits = limits
        self.patience = patience
        self.hasSpool = hasSpool
    }

    /// Requests that wait for a commit to end before theirs can begin, or as many as waited when the newest commit ended. Requests
    /// that are only gathering don't count.
    ///
    /// Not only those that wait now: the queue is short right after a commit began, however many come during each one. While all
    /// committers are busy, the requests being committed count, too: then the store is the bottleneck.
    var held: Int {
        guard committers > 0 else { return queue.isEmpty ? 0 : leftBehind }
        return max(queue.count + (committers == limits.committers ? committing : 0), leftBehind)
    }

    /// Whether one more batch can wait. A single one always can.
    func hasRoom(for bytes: Int) -> Bool { waitingBytes == 0 || waitingBytes + bytes <= limits.waitingBytes }

    /// A batch has arrived.
    ///
    /// - Parameter isTakenOver: whether batches go to the spool instead of the store.
    mutating func come(_ sender: Sender, rows: Int, bytes: Int, at now: Instant, isTakenOver: Bool) -> [Action] {
        lastTicket += 1
        let waiting = Waiting(ticket: lastTicket, sender: sender, rows: rows, bytes: bytes, arrivedAt: now)
        places.append(Place(waiting: waiting))
        var actions: [Action] = []
        if !isWatched { actions.append(.startWatching) }
        isWatched = true
        if isTakenOver { return actions + handOver(CollectionOfOne(waiting)) }
        queue.append(waiting)
        waitingBytes += bytes
        queuedRows += rows
        if queuedRows >= limits.rowsForAnother || (committers == 0 && !mustGather(at: now)) {
            actions += startCommitting()
        } else if committers == 0 {
            actions += gather()
        }
        return actions
    }

    /// The time for gathering is over.
    mutating func gathered() -> [Action] {
        isGathering = false
        return queue.isEmpty ? [] : startCommitting()
    }

    /// A committer asks what to commit next.
    ///
    /// - Returns: the oldest batches that fit into one group, at least one; nil if the committer should end.
    mutating func nextGroup(at now: Instant, isTakenOver: Bool) -> (group: [Waiting]?, actions: [Action]) {
        assert(committers > 0, "a committer asked again after it had ended")
        var actions: [Action] = []
        if isTakenOver { actions = handOver(dequeue(queue.count)) }
        guard let first = queue.first, !mustGather(at: now) else {
            committers -= 1
            return (nil, queue.isEmpty ? actions : actions + gather())
        }
        lastBegun = now
        var (rows, bytes, end) = (first.rows, first.bytes, 1)
        while end < queue.count {
            rows += queue[end].rows
            bytes += queue[end].bytes
            guard rows <= limits.rowsPerGroup, bytes <= limits.bytesPerGroup else { break }
            end += 1
        }
        committing += end
        return (dequeue(end), actions)
    }

    mutating func committed(_ group: some Collection<Waiting>) -> [Action] {
        ended(group)
        return answer(group, .kept)
    }

    /// - Parameter isStoreAway: whether the commit failed because the store is unavailable. Then the spool takes the batches.
    mutating func failed(_ group: some Collection<Waiting>, isStoreAway: Bool) -> [Action] {
        ended(group)
        return hasSpool && isStoreAway ? handOver(group) : answer(group, .failed)
    }

    private mutating func ended(_ group: some Collection<Waiting>) {
        committing -= group.count
        leftBehind = queue.count
    }

    /// The spool asks what to write next. While it syncs one group, the next one gathers.
    ///
    /// - Returns: nil if nothing waits for the spool.
    mutating func nextSpooledGroup() -> [Waiting]? {
        guard !handedOver.isEmpty else {
            isSpooling = false
            return nil
        }
        var (bytes, end) = (0, 0)
        while end < handedOver.count, end == 0 || bytes < limits.bytesPerSpooledGroup {
            bytes += handedOver[end].bytes
            end += 1
        }
        defer { handedOver.removeFirst(end) }
        return Array(handedOver[..<end])
    }

    /// - Parameter taken: for each batch of the group, whether it is on the disk.
    mutating func spooled(_ group: [Waiting], taken: [Bool]) -> [Action] {
        zip(group, taken).flatMap { waiting, isTaken in
            waitingBytes -= waiting.bytes
            return answer(CollectionOfOne(waiting), isTaken ? .kept : .notSpooled)
        }
    }

    /// Time has passed. Turns away batches that have waited longer than ``Patience`` allows, whatever the store does.
    mutating func tick(_ now: Instant) -> [Action] {
        var actions: [Action] = []
        // Turned away without a try, because the store is already too slow.
        let late = dequeue(queue.prefix { $0.arrivedAt + patience.turn <= now }.count)
        if !late.isEmpty, !hasSpool { actions.append(.reportLate(late.count)) }
        actions += turnAway(late)
        // The running committers might hang.
        if !queue.isEmpty { actions += startCommitting() }
        for place in places.prefix(while: { $0.waiting.arrivedAt + patience.commit <= now }) where !place.isAnswered {
            if !place.isHandedOver {
                actions += turnAway([place.waiting])
            } else if place.waiting.arrivedAt + patience.commit + patience.spool <= now {
                actions += answer(CollectionOfOne(place.waiting), .tooSlow)
            }
        }
        places.removeAll { $0.isAnswered }
        isWatched = !places.isEmpty
        return actions
    }

    private mutating func turnAway(_ group: [Waiting]) -> [Action] {
        hasSpool ? handOver(group) : answer(group, .tooSlow)
    }

    private func mustGather(at now: Instant) -> Bool {
        guard let lastBegun, queuedRows < limits.rowsAtOnce else { return false }
        return now < lastBegun + limits.gathering
    }

    private mutating func gather() -> [Action] {
        guard let lastBegun, !isGathering else { return [] }
        isGathering = true
        return [.gather(until: lastBegun + limits.gathering)]
    }

    private mutating func startCommitting() -> [Action] {
        guard committers < limits.committers else { return [] }
        committers += 1
        return [.startCommitting]
    }

    private mutating func dequeue(_ count: Int) -> [Waiting] {
        let group: [Waiting]
        if count == queue.count {
            group = queue
            queue = []
        } else {
            group = Array(queue[..<count])
            queue.removeFirst(count)
        }
        for waiting in group {
            waitingBytes -= waiting.bytes
            queuedRows -= waiting.rows
        }
        return group
    }

    private mutating func handOver(_ group: some Collection<Waiting>) -> [Action] {
        for waiting in group {
            guard let index = index(of: waiting), !places[index].isHandedOver else { continue }
            places[index].isHandedOver = true
            handedOver.append(waiting)
            waitingBytes += waiting.bytes
        }
        guard !isSpooling, !handedOver.isEmpty else { return [] }
        isSpooling = true
        return [.startSpooling]
    }

    private mutating func answer(_ group: some Collection<Waiting>, _ verdict: Verdict) -> [Action] {
        var actions: [Action] = []
        actions.reserveCapacity(group.count)
        for waiting in group {
            guard let index = index(of: waiting) else { continue }
            places[index].isAnswered = true
            actions.append(.answer(waiting.sender, verdict))
        }
        // Now, not at the next tick: they would hold memory that is cold by then. The committer frees it, outside of the lock.
        places.removeFirst(places.prefix(while: \.isAnswered).count)
        return actions
    }

    /// Its index in ``places``; nil if it was answered.
    private func index(of waiting: Waiting) -> Int? {
        guard let first = places.first?.waiting.ticket else { return nil }
        // Its distance from the first is at most the difference of their tickets, because answered batches were removed.
        var (low, high) = (0, min(waiting.ticket - first, places.count - 1))
        guard high >= 0 else { return nil }
        if places[high].waiting.ticket == waiting.ticket { low = high }
        while low < high {
            let middle = (low + high) / 2
            if places[middle].waiting.ticket < waiting.ticket { low = middle + 1 } else { high = middle }
        }
        return places[low].waiting.ticket == waiting.ticket && !places[low].isAnswered ? low : nil
    }
}

extension CommitState.Action: Equatable where Sender: Equatable {}
