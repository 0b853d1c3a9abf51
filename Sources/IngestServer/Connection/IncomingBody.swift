internal import NIOCore
internal import Synchronization

/// Passes a request's body from the connection to its reader.
///
/// A large body stays with the sender and in the kernel's buffers until its reader asks for it, so that it takes no memory of
/// the process.
final class IncomingBody: Sendable {
    enum Failure: Error {
        /// The connection ended early, or the body is not valid HTTP.
        case cut
        /// The deadline has passed.
        case tooSlow
    }

    private struct State {
        var bytes = ByteBuffer()
        var isAsked = false
        var end: Result<Void, Failure>?
        var reader: CheckedContinuation<ByteBuffer?, any Error>?

        /// What the reader gets now; nil if it has to wait.
        mutating func take() -> Result<ByteBuffer?, Failure>? {
            if bytes.readableBytes > 0 {
                defer { bytes = ByteBuffer() }
                return .success(bytes)
            }
            return end.map { $0.map { nil } }
        }
    }

    /// Bytes that can wait for the reader.
    static let readAhead = 64 << 10

    private let state = Mutex(State())
    /// Tells the connection to go on reading.
    private let goOn: @Sendable () -> Void

    init(goOn: @escaping @Sendable () -> Void) { self.goOn = goOn }

    // MARK: For the reader

    /// Asks the client to send the body.
    func ask() {
        let isNews = state.withLock { state in
            defer { state.isAsked = true }
            return !state.isAsked
        }
        if isNews { goOn() }
    }

    /// - Returns: what has arrived since the last call; nil at the end.
    /// - Throws: ``Failure``.
    func next() async throws -> ByteBuffer? {
        if let taken = state.withLock({ $0.take() }) {
            goOn()
            return try taken.get()
        }
        return try await withCheckedThrowingContinuation { continuation in
            let taken = state.withLock { state -> Result<ByteBuffer?, Failure>? in
                let taken = state.take()
                if taken == nil { state.reader = continuation }
                return taken
            }
            guard let taken else { return }
            // It arrived between the two checks.
            goOn()
            continuation.resume(with: taken)
        }
    }

    // MARK: For the connection

    var isAsked: Bool { state.withLock { $0.isAsked } }

    var isFull: Bool { state.withLock { $0.bytes.readableBytes >= IncomingBody.readAhead } }

    func add(_ bytes: ByteBuffer) {
        change { state in
            guard state.end == nil else { return }
            state.bytes.append(bytes)
        }
    }

    func end(_ end: Result<Void, Failure> = .success(())) {
        change { state in if state.end == nil { state.end = end } }
    }

    private func change(_ change: (inout State) -> Void) {
        let woken = state.withLock {
            state -> (CheckedContinuation<ByteBuffer?, any Error>, Result<ByteBuffer?, Failure>)? in
            change(&state)
            guard let reader = state.reader, let taken = state.take() else { return nil }
            state.reader = nil
            return (reader, taken)
        }
        if let (reader, taken) = woken { reader.resume(with: taken) }
    }
}
