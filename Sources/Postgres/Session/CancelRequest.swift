internal import CLibPQ
internal import Synchronization

/// A request to the server to cancel a connection's current statement.
///
/// PQcancel opens a second connection and waits for it without a deadline. So it runs on its own thread, and the caller decides
/// how long to wait for ``isDone``.
final class CancelRequest: Sendable {
    private let done = Atomic(false)

    /// Whether the server has processed the request, so that it can't hit a later statement.
    var isDone: Bool { done.load(ordering: .acquiring) }

    /// If the network drops all packets, threads accumulate until TCP times out. More than this many wouldn't help.
    private static let maximumAtOnce = 32
    private static let running = Atomic(0)

    private init() {}

    /// - Parameter wakeUp: signalled when the request is done.
    /// - Returns: nil if the request can't be sent.
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

    /// Owns a PGcancel, which libpq guarantees to be independent of its connection.
    private final class Handle: @unchecked Sendable {
        private let pointer: OpaquePointer

        init(_ pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit { PQfreeCancel(pointer) }

        /// Reports no failure: if the request fails, the statement doesn't end and its connection is dropped.
        func send() {
            withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { message in
                _ = PQcancel(pointer, message.baseAddress, Int32(message.count))
            }
        }
    }
}
