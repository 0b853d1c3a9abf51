internal import CensusStore
internal import HTTPTypes
internal import Synchronization

/// Shares the server's resources among keys: memory, threads for large bodies, the store's connections, and clients'
/// connections.
///
/// Pure values (``ByteBudget``, ``FairLine``, ``ClientTurns``, ``ConnectionLimit``) decide what goes on, waits or is turned
/// away; this class locks them and carries out their decisions.
package final class Admission: Sendable {
    /// What requests wait for, in turns by key.
    enum Line: Int, CaseIterable {
        /// A thread that decodes large bodies.
        case decoding
        /// The store: for gallery policies, erasures, manifests, and for reports and pages.
        case gallery, erasures, manifests, reads
    }

    private struct State {
        var bytes: ByteBudget
        /// By ``Line``.
        var lines: [FairLine]
        var next = 0
        /// Of the waiting jobs.
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

    /// - Parameter limits: override the options for some lines.
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

    /// Makes an empty reservation for a request with this key.
    ///
    /// A request reserves memory before its body is read. If there is no room, it is turned away at once: then the phone keeps
    /// its events, which a process that runs out of memory would lose.
    func reservation(_ key: KeyHash) -> Reservation { Reservation(self, key) }

    /// Reserves memory for a response, until the returned value is released.
    ///
    /// - Parameter isOwed: whether to exceed the budget if necessary, because stored data must be acknowledged.
    /// - Throws: ``Problem``: 503 when there is no room.
    func answer(_ bytes: Int, to key: KeyHash, isOwed: Bool) throws -> Answer {
        // One response can be larger than a key's whole share. Then it is the key's only one.
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

    /// A share that any thread can give back: that of a response, or of a batch that waits for its commit.
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

    /// One request's share, until ``end()``. Only that request's task uses it.
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

        /// Gives back a part.
        func shrink(to bytes: Int) {
            guard bytes < self.bytes else { return }
            _ = admission.state.withLock { $0.bytes.change(key, from: self.bytes, to: bytes) }
            self.bytes = bytes
        }

        /// Gives back everything.
        func end() { shrink(to: 0) }

        /// Moves the reserved memory to the returned value, which the caller must end.
        func handOn() -> Answer {
            defer { bytes = 0 }
            return Answer(admission: admission, key: key, bytes: bytes)
        }
    }
}

// MARK: Turns

extension Admission {
    func waiting(_ line: Line) -> Int { state.withLock { $0.lines[line.rawValue].waiting } }

    /// Decodes a large body in its key's turn, on a thread for large bodies. `work` can report that there are fewer bytes than
    /// assumed.
    ///
    /// - Throws: what `work` throws, or ``Problem``: 503 if too many wait, or the turn doesn't come in time.
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

    /// Queries the store in the key's turn, so that one key's queries leave connections for reports and for other keys'
    /// queries.
    ///
    /// - Returns: nil if too many wait, or the turn doesn't come in time.
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
            // `run` throws only what its closure throws, and this one doesn't.
            outcome = nil
        }
        return try outcome?.get()
    }

    /// Reads a report or page. One place always stays free for other keys.
    ///
    /// - Throws: what `work` throws, or ``Problem``: 503 if the turn doesn't come in time.
    func read<T>(for key: KeyHash, _ work: () async throws -> T) async throws -> T {
        guard let done = try await run(.reads, for: key, { _ in try await work() }) else { throw Problem.readersWait }
        return done
    }

    /// - Returns: nil if too many wait, or the turn doesn't come in time.
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
        .serviceUnavailable, "readers_wait", "too many reports and pages are being read at once; retry",
        headers: [.retryAfter: "2"])
}
