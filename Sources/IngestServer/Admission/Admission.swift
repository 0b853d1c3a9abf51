internal import CensusStore
internal import HTTPTypes
internal import Synchronization

/// Shares the server out among keys: memory, threads for large bodies, the store's connections, and clients' connections.
///
/// What may go on, waits, or is turned away is decided by values (``ByteBudget``, ``FairLine``, ``ClientTurns``,
/// ``ConnectionLimit``); this is the one shell around them.
package final class Admission: Sendable {
    /// What a request may have to wait for, in turns by key.
    enum Line: Int, CaseIterable {
        /// A thread that decodes large bodies.
        case decoding
        /// The store: for the gallery, erasures, manifests, and for reports and pages.
        case gallery, erasures, manifests, reads
    }

    private struct State {
        var bytes: ByteBudget
        /// By ``Line``.
        var lines: [FairLine]
        var next = 0
        /// The continuations of the jobs that wait.
        var continuations: [FairLine.Ticket: CheckedContinuation<Bool, Never>] = [:]
    }

    let limits: AdmissionLimits
    let memory: MemoryWatch
    let connections: ConnectionCount
    let faults: FaultLog
    let usage: KeyUsage
    let metrics: IngestMetrics
    private let lines: [LineLimits]
    private let state: Mutex<State>
    private let threads: HeavyThreads

    /// - Parameter limits: of some lines, in place of those that follow from the options.
    init(
        _ options: ServerOptions, _ limits: [Line: LineLimits] = [:], faults: FaultLog, usage: KeyUsage,
        metrics: IngestMetrics
    ) {
        self.limits = options.admission
        self.faults = faults
        self.usage = usage
        self.metrics = metrics
        memory = MemoryWatch(ControlGroup.own(options.controlGroups), MachineMemory(options.controlGroups))
        connections = ConnectionCount(options.connections, faults: faults)
        lines = Line.allCases.map { limits[$0] ?? $0.limits(options) }
        threads = HeavyThreads(count: lines[Line.decoding.rawValue].places)
        state = Mutex(
            State(
                bytes: ByteBudget(total: options.admission.bytes, share: options.admission.bytesPerKey),
                lines: lines.map(FairLine.init)))
    }
}

// MARK: Memory

extension Admission {
    var bytesTaken: Int { state.withLock { $0.bytes.taken } }
    var bytesTotal: Int { state.withLock { $0.bytes.total } }

    /// Memory for the requests in progress is reserved before a body is read. A request that does not fit is turned away at
    /// once: the phone keeps its data, a process without memory loses it.
    ///
    /// - Returns: an empty reservation for a request with this key.
    func reservation(_ key: KeyHash) -> Reservation { Reservation(self, key) }

    /// Reserves memory for an answer, until the value is let go.
    ///
    /// - Parameter isOwed: what was stored must be acknowledged, even where that takes more than there is.
    /// - Throws: ``Problem``: 503 when there is no room.
    func answer(_ bytes: Int, to key: KeyHash, isOwed: Bool) throws -> Answer {
        // A single answer may be larger than all that a key may have: then it is the key's only one.
        let bytes = min(bytes, state.withLock { $0.bytes.share })
        if isOwed {
            state.withLock { $0.bytes.owe(key, from: 0, to: bytes) }
        } else {
            try change(key, from: 0, to: bytes)
        }
        return Answer(admission: self, key: key, bytes: bytes)
    }

    private func change(_ key: KeyHash, from old: Int, to new: Int) throws {
        guard state.withLock({ $0.bytes.change(key, from: old, to: new) }) else {
            metrics.countTurnedAway(.room)
            throw Problem.noRoom
        }
    }

    /// A share that another thread may give back: an answer's, or that of a batch which waits for its commit.
    final class Answer: Sendable {
        private let admission: Admission
        private let key: KeyHash
        private let bytes: Atomic<Int>

        fileprivate init(admission: Admission, key: KeyHash, bytes: Int) {
            self.admission = admission
            self.key = key
            self.bytes = Atomic(bytes)
        }

        func end() {
            let held = bytes.exchange(0, ordering: .relaxed)
            if held > 0 { admission.state.withLock { $0.bytes.owe(key, from: held, to: 0) } }
        }

        deinit { end() }
    }

    /// One request's share, which ``end()`` gives back. Only that request's task holds it.
    final class Reservation {
        let key: KeyHash
        private let admission: Admission
        private(set) var bytes = 0

        fileprivate init(_ admission: Admission, _ key: KeyHash) {
            self.admission = admission
            self.key = key
        }

        /// - Throws: ``Problem``: 503 when there is no room for more.
        func resize(to bytes: Int) throws {
            guard bytes != self.bytes else { return }
            try admission.change(key, from: self.bytes, to: bytes)
            self.bytes = bytes
        }

        /// Gives back what is no longer needed.
        func shrink(to bytes: Int) {
            guard bytes < self.bytes else { return }
            _ = admission.state.withLock { $0.bytes.change(key, from: self.bytes, to: bytes) }
            self.bytes = bytes
        }

        /// The request was answered.
        func end() { shrink(to: 0) }

        /// Moves what this reservation holds into a new one, which the caller ends.
        func handOn() -> Answer {
            defer { bytes = 0 }
            return Answer(admission: admission, key: key, bytes: bytes)
        }
    }
}

// MARK: Turns

extension Admission {
    func waiting(_ line: Line) -> Int { state.withLock { $0.lines[line.rawValue].waiting } }

    /// Decodes a large body in its key's turn, on a thread that answers nobody else. The work may report fewer bytes than were
    /// assumed.
    ///
    /// - Throws: what `work` throws, or ``Problem``: 503 when too many wait, or the turn does not come in time.
    func decode<T>(
        for key: KeyHash, bytes: Int, _ work: (_ shrink: @escaping (Int) -> Void) async throws -> T
    ) async throws -> T {
        let done = try await run(.decoding, for: key, bytes: bytes) { shrink in
            try await withTaskExecutorPreference(threads) { try await work(shrink) }
        }
        guard let done else {
            metrics.countTurnedAway(.line)
            throw Problem.noRoom
        }
        return done
    }

    /// Asks the store in the key's turn: one key's questions leave the store's connections to those that report, and other keys'
    /// questions overtake the rest of its own.
    ///
    /// - Returns: nil when too many wait, or the turn does not come in time.
    /// - Throws: what `work` throws.
    func ask<T>(
        _ line: Line, for key: KeyHash, _ work: () async throws(StoreError) -> T
    ) async throws(StoreError) -> T? {
        let outcome: Result<T, StoreError>?
        do {
            outcome = try await run(line, for: key) { _ in
                let begun = ContinuousClock.now
                defer { usage.add(key, store: ContinuousClock.now - begun) }
                do throws(StoreError) { return .success(try await work()) } catch { return .failure(error) }
            }
        } catch {
            // Nothing else throws.
            outcome = nil
        }
        return try outcome?.get()
    }

    /// Reads for people. One place is always left for the readers of other keys.
    ///
    /// - Throws: ``Problem``: 503 when there is no place in time; otherwise what the work throws.
    func read<T>(for key: KeyHash, _ work: () async throws -> T) async throws -> T {
        guard let done = try await run(.reads, for: key, { _ in try await work() }) else { throw Problem.readersWait }
        return done
    }

    /// - Returns: nil when too many wait, or the turn does not come in time.
    private func run<T>(
        _ line: Line, for key: KeyHash, bytes: Int = 0, _ work: (_ shrink: @escaping (Int) -> Void) async throws -> T
    ) async throws -> T? {
        let ticket = state.withLock { state in
            state.next += 1
            return state.next
        }
        guard await enter(line, ticket, key, bytes) else { return nil }
        defer { resume { $0.lines[line.rawValue].leave(ticket) } }
        return try await work { [self] bytes in resume { $0.lines[line.rawValue].shrink(ticket, to: bytes) } }
    }

    /// - Returns: whether the turn has come.
    private func enter(_ line: Line, _ ticket: FairLine.Ticket, _ key: KeyHash, _ bytes: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let decision = state.withLock { state in
                let decision = state.lines[line.rawValue].come(ticket, key: key, bytes: bytes)
                if decision == .waits { state.continuations[ticket] = continuation }
                return decision
            }
            switch decision {
            case .begins: continuation.resume(returning: true)
            case .refused: continuation.resume(returning: false)
            case .waits:
                Task { [self] in
                    try? await Task.sleep(for: lines[line.rawValue].patience)
                    giveUp(line, ticket, key)
                }
            }
        }
    }

    private func giveUp(_ line: Line, _ ticket: FairLine.Ticket, _ key: KeyHash) {
        var continuation: CheckedContinuation<Bool, Never>?
        resume { state in
            let (wasWaiting, begun) = state.lines[line.rawValue].giveUp(ticket, key: key)
            if wasWaiting { continuation = state.continuations.removeValue(forKey: ticket) }
            return begun
        }
        continuation?.resume(returning: false)
    }

    /// - Parameter change: returns the jobs that begin now.
    private func resume(_ change: (inout State) -> [FairLine.Ticket]) {
        let continuations = state.withLock { state in
            change(&state).compactMap { state.continuations.removeValue(forKey: $0) }
        }
        for continuation in continuations { continuation.resume(returning: true) }
    }
}

extension Problem {
    static let readersWait = Problem(
        .serviceUnavailable, "readers_wait", "too many people are reading at once: ask again",
        headers: [.retryAfter: "2"])
}
