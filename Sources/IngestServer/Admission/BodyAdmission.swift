internal import NIOCore
internal import Synchronization

/// Leaves a large body with the sender and in the kernel's buffers until the server has room for it, or refuses it and
/// lets it pass. There it takes none of our memory.
///
/// One for each connection. Bodies are counted as they begin and as they are let in, since the next request may be queued
/// behind the one that is being answered.
final class BodyAdmission: Sendable {
    private struct State {
        var begun = 0
        var letIn = 0
        var isHeld = false
    }

    /// Smaller bodies are read without asking, and so are this many bytes of larger ones.
    static let free = 8 << 10

    private let state = Mutex(State())

    /// A large body begins.
    func begin() { state.withLock { $0.begun += 1 } }

    /// - Returns: whether the current large body was let in; if not, reading must be resumed when it is.
    func isOpen() -> Bool {
        state.withLock { state in
            state.isHeld = state.begun > state.letIn
            return !state.isHeld
        }
    }

    /// Lets the next one in.
    ///
    /// - Returns: whether reading was held back and must be resumed.
    func letIn() -> Bool {
        state.withLock { state in
            state.letIn += 1
            guard state.isHeld, state.begun <= state.letIn else { return false }
            state.isHeld = false
            return true
        }
    }
}

/// The admissions of all connections.
final class BodyAdmissions: Sendable {
    private let admissions = ByChannel<BodyAdmission>()

    func add(_ admission: BodyAdmission, of channel: any Channel) { admissions[channel] = admission }

    func remove(_ channel: any Channel) { admissions[channel] = nil }

    /// - Returns: what lets the request's body in; nil where it is not a large one.
    func entry(_ body: AnnouncedBody, on channel: any Channel) -> Entry? {
        guard body.isLarge, let admission = admissions[channel] else {
            return nil
        }
        return Entry(admission: admission, channel: channel)
    }

    /// Lets in one body, once.
    final class Entry: Sendable {
        private let admission: BodyAdmission
        private let channel: any Channel
        private let isUsed = Atomic<Bool>(false)

        fileprivate init(admission: BodyAdmission, channel: any Channel) {
            self.admission = admission
            self.channel = channel
        }

        func use() {
            guard !isUsed.exchange(true, ordering: .relaxed), admission.letIn() else { return }
            channel.read()
        }
    }
}
