internal import CLibPQ
internal import Synchronization

/// One request to the server to cancel what a connection is doing.
///
/// PQcancel opens a second connection and waits for it without any deadline. So it gets a thread, and the caller decides how
/// long to wait for ``isDone``.
final class CancelRequest: Sendable {
    private let done = Atomic(false)

    /// Once true, the server has passed the request on: it cannot hit a later statement any more.
    var isDone: Bool { done.load(ordering: .acquiring) }

    /// Behind a black hole the threads pile up until TCP gives up on them; more than this many do no good.
    private static let maximumAtOnce = 32
    private static let running = Atomic(0)

    private init() {}

    /// - Parameter wakeUp: signalled when done.
    /// - Returns: nil when it cannot be sent.
    static func send(for connection: OpaquePointer, wakeUp: WakeUp) -> CancelRequest? {
        guard running.add(1, ordering: .relaxed).newValue <= maximumAtOnce else {
            running.subtract(1, ordering: .relaxed)
            return nil
        }
        guard let handle = PQgetCancel(connection).map(Handle.init) else {
            running.subtract(1, ordering: .relaxed)
            return nil
        }
        let request = CancelRequest()
        let isStarted = DetachedThread.start {
            handle.send()
            request.done.store(true, ordering: .releasing)
            running.subtract(1, ordering: .relaxed)
            wakeUp.signal()
        }
        guard isStarted else {
            running.subtract(1, ordering: .relaxed)
            return nil
        }
        return request
    }

    /// Owns a PGcancel, which libpq promises is independent of its connection.
    private final class Handle: @unchecked Sendable {
        private let pointer: OpaquePointer

        init(_ pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit { PQfreeCancel(pointer) }

        /// Failure is not reported: the statement does not end then, and its connection is dropped.
        func send() {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
                _ = PQcancel(pointer, message.baseAddress, Int32(message.count))
            }
        }
    }
}
