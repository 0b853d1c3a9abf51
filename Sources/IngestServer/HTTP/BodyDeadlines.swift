internal import NIOCore
internal import Synchronization
internal import ServiceLifecycle

/// Ends the reading of bodies that take too long: a byte a second keeps a connection from being idle.
///
/// One look a while at a list, and not a timer a request, because nearly every body arrives at once.
package final class BodyDeadlines: Service {
    /// One body that is being read.
    final class Reading: Sendable {
        let channel: any Channel
        let deadline: ContinuousClock.Instant
        private let expired = Mutex(false)

        init(channel: any Channel, deadline: ContinuousClock.Instant) {
            self.channel = channel
            self.deadline = deadline
        }

        var isExpired: Bool { expired.withLock { $0 } }

        func expire() {
            expired.withLock { $0 = true }
            // The reader sees its body end, and still can answer.
            channel.close(mode: .input, promise: nil)
        }
    }

    private let limit: Duration
    private let interval: Duration
    private let readings = Mutex<[ObjectIdentifier: Reading]>([:])

    package init(limit: Duration, interval: Duration = .milliseconds(250)) {
        self.limit = limit
        self.interval = interval
    }

    func begin(on channel: any Channel) -> Reading {
        let reading = Reading(channel: channel, deadline: .now + limit)
        readings.withLock { $0[ObjectIdentifier(reading)] = reading }
        return reading
    }

    func end(_ reading: Reading) {
        readings.withLock { $0[ObjectIdentifier(reading)] = nil }
    }

    package func run() async throws {
        // Its turn to stop comes after the server's: the last requests of a shutdown have deadlines too.
        try? await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                let now = ContinuousClock.now
                for reading in readings.withLock({ $0.values.filter { $0.deadline <= now } }) { reading.expire() }
                try await Task.sleep(for: interval)
            }
        }
    }
}
