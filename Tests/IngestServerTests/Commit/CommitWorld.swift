import PostgresTesting

@testable import IngestServer

/// A model of the store, spool, senders and time around a ``CommitState``. It makes no decisions.
struct CommitWorld {
    typealias State = CommitState<Int>

    /// A task that asks for groups and commits them.
    struct Committer {
        var pieces = Halving<State.Waiting>([])
        /// The batches that the store is committing.
        var piece: ArraySlice<State.Waiting>?
    }

    var state: State
    private(set) var now = ContinuousClock.now
    private(set) var arrivedAt: [Int: ContinuousClock.Instant] = [:]
    private(set) var answers: [Int: State.Verdict] = [:]
    private(set) var late = 0
    /// The senders whose batches the store or the spool has.
    private(set) var kept: Set<Int> = []
    private(set) var committers: [Committer] = []
    private(set) var isSpooling = false
    private(set) var spooling: [State.Waiting] = []
    private(set) var isWatching = false
    /// The sizes of all groups that committers got.
    private(set) var groups: [(count: Int, rows: Int, bytes: Int)] = []
    private(set) var complaints: [String] = []
    var isTakenOver = false
    private(set) var gatherUntil: ContinuousClock.Instant?
    private var ticked = ContinuousClock.now

    init(_ state: State) { self.state = state }

    var unanswered: [Int] { arrivedAt.keys.filter { answers[$0] == nil }.sorted() }
    var isQuiet: Bool { committers.isEmpty && !isSpooling && !isWatching && gatherUntil == nil }

    mutating func come(rows: Int, bytes: Int) {
        guard state.hasRoom(for: bytes) else { return }
        let sender = arrivedAt.count
        arrivedAt[sender] = now
        carryOut(state.come(sender, rows: rows, bytes: bytes, at: now, isTakenOver: isTakenOver))
    }

    /// Advances the time, and runs the watch at its interval.
    mutating func pass(_ milliseconds: Int) {
        for _ in 0..<milliseconds {
            now += .milliseconds(1)
            if let end = gatherUntil, end <= now {
                gatherUntil = nil
                carryOut(state.gathered())
            }
            guard isWatching, ticked + State.tickInterval <= now else { continue }
            ticked = now
            carryOut(state.tick(now))
            isWatching = state.isWatched
        }
    }

    enum Outcome { case stored, away, badData, otherFault }

    /// Advances a committer: it asks for a group, or gets the store's result.
    mutating func advance(_ number: Int, _ outcome: Outcome) {
        guard let piece = committers[number].piece else {
            committers[number].piece = committers[number].pieces.next()
            guard committers[number].piece == nil else { return }
            let (group, actions) = state.nextGroup(at: now, isTakenOver: isTakenOver)
            carryOut(actions)
            guard let group else {
                committers.remove(at: number)
                return
            }
            groups.append((group.count, group.reduce(0) { $0 + $1.rows }, group.reduce(0) { $0 + $1.bytes }))
            if group.map(\.sender) != group.map(\.sender).sorted() { complaints.append("a group is out of order") }
            committers[number].pieces = Halving(group)
            return
        }
        committers[number].piece = nil
        switch outcome {
        case .stored:
            kept.formUnion(piece.map(\.sender))
            carryOut(state.committed(piece))
        case .badData:
            if !committers[number].pieces.split(piece) { carryOut(state.failed(piece, isStoreAway: false)) }
        case .away, .otherFault:
            if outcome == .away { isTakenOver = state.hasSpool }
            carryOut(state.failed(piece, isStoreAway: outcome == .away))
        }
    }

    /// Advances the spool: it asks for a group, or has written one.
    mutating func advanceSpool(takes: (Int) -> Bool) {
        guard spooling.isEmpty else {
            let taken = spooling.map { takes($0.sender) }
            for (waiting, isTaken) in zip(spooling, taken) where isTaken { kept.insert(waiting.sender) }
            let group = spooling
            spooling = []
            return carryOut(state.spooled(group, taken: taken))
        }
        guard let group = state.nextSpooledGroup() else {
            isSpooling = false
            return
        }
        spooling = group
    }

    private mutating func carryOut(_ actions: [State.Action]) {
        for action in actions {
            switch action {
            case .answer(let sender, let verdict):
                if answers.updateValue(verdict, forKey: sender) != nil { complaints.append("\(sender) answered twice") }
                if (verdict == .kept) && !kept.contains(sender) { complaints.append("\(sender) kept by nobody") }
            case .startCommitting: committers.append(Committer())
            case .gather(let end):
                if gatherUntil != nil { complaints.append("two gather") }
                gatherUntil = end
            case .startSpooling:
                if isSpooling { complaints.append("two write to the spool") }
                isSpooling = true
            case .startWatching:
                if isWatching { complaints.append("two watch") }
                isWatching = true
                ticked = now
            case .reportLate(let count): late += count
            }
        }
    }
}
