internal import NIOCore
internal import Synchronization

/// Keeps a large body in the sender's hands and the kernel's buffers until the door has room for it, or has refused it and
/// lets it pass by. What lies there is not ours to find memory for.
///
/// One for each connection. Bodies are counted where they come and where they are let in, since the next request may
/// stand behind the one that is being answered.
final class BodyGate: Sendable {
    private struct State {
        var came = 0
        var letIn = 0
        var isHeld = false
    }

    /// Bodies that are no larger come in unasked, and so does so much of others.
    static let free = 8 << 10

    private let state = Mutex(State())

    /// A large body begins to come.
    func begin() { state.withLock { $0.came += 1 } }

    /// - Returns: whether the large body that comes now was let in; else somebody must be told to read on when it is.
    func isOpen() -> Bool {
        state.withLock { state in
            state.isHeld = state.came > state.letIn
            return !state.isHeld
        }
    }

    /// The next one is let in.
    ///
    /// - Returns: whether reading was held back, and must go on.
    func letIn() -> Bool {
        state.withLock { state in
            state.letIn += 1
            guard state.isHeld, state.came <= state.letIn else { return false }
            state.isHeld = false
            return true
        }
    }
}

/// The gates of all connections.
final class BodyGates: Sendable {
    private let gates = Mutex<[ObjectIdentifier: BodyGate]>([:])

    func add(_ gate: BodyGate, of channel: any Channel) { gates.withLock { $0[ObjectIdentifier(channel)] = gate } }

    func remove(_ channel: any Channel) { gates.withLock { $0[ObjectIdentifier(channel)] = nil } }

    /// What a request with a large body is let in by; nil for any other.
    func entry(_ body: AnnouncedBody, on channel: any Channel) -> Entry? {
        guard body.isLarge, let gate = gates.withLock({ $0[ObjectIdentifier(channel)] }) else {
            return nil
        }
        return Entry(gate: gate, channel: channel)
    }

    /// Lets in one body, once.
    final class Entry: Sendable {
        private let gate: BodyGate
        private let channel: any Channel
        private let isUsed = Atomic<Bool>(false)

        fileprivate init(gate: BodyGate, channel: any Channel) {
            self.gate = gate
            self.channel = channel
        }

        func use() {
            guard !isUsed.exchange(true, ordering: .relaxed), gate.letIn() else { return }
            channel.read()
        }
    }
}
