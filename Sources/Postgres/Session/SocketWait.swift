#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// `poll(2)` on one socket and a ``WakeUp``.
enum SocketWait {
    struct Ready {
        /// Also true if the socket is broken; reading it then gives the error.
        var canRead = false
        var canWrite = false
    }

    /// Waits until the socket is ready, the wake-up is signalled, or the deadline passes.
    ///
    /// - Parameter socket: -1 waits for the wake-up alone.
    static func wait(
        _ socket: Int32, reading: Bool, writing: Bool, _ wakeUp: WakeUp, until deadline: ContinuousClock.Instant
    ) -> Ready {
        let events = (reading ? Int16(POLLIN) : 0) | (writing ? Int16(POLLOUT) : 0)
        return withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { descriptors in
            descriptors[0] = pollfd(fd: socket, events: events, revents: 0)
            descriptors[1] = pollfd(fd: wakeUp.readEnd, events: Int16(POLLIN), revents: 0)
            // Also returns when a signal interrupts the call; the caller checks its state and waits again.
            guard let base = descriptors.baseAddress, poll(base, 2, milliseconds(until: deadline)) > 0 else {
                return Ready()
            }
            if descriptors[1].revents != 0 { wakeUp.drain() }
            let result = descriptors[0].revents
            let isBroken = result & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
            return Ready(
                canRead: isBroken || result & Int16(POLLIN) != 0, canWrite: isBroken || result & Int16(POLLOUT) != 0)
        }
    }

    /// Whether there is something to read on a socket, or it is broken.
    static func hasNews(_ socket: Int32) -> Bool {
        var descriptor = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) != 0
    }

    /// Rounded up, because a wait that ends just before its deadline would make the caller spin.
    private static func milliseconds(until deadline: ContinuousClock.Instant) -> Int32 {
        let (seconds, attoseconds) = max(deadline - .now, .zero).components
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
