internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization

/// Ends bodies that take too long, whether somebody reads them or they were answered unread: a byte a second keeps a
/// connection from being idle.
///
/// One look a while at a list, and not a timer a request, because nearly every body arrives at once.
package final class RequestDeadlines: Service {
    /// One body that has not come to its end.
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
    /// By channel.
    private let readings = Mutex<[ObjectIdentifier: Reading]>([:])

    package init(limit: Duration, interval: Duration = .milliseconds(250)) {
        self.limit = limit
        self.interval = interval
    }

    /// To be called at every request, since it tells that the body before it on this channel has ended.
    ///
    /// - Returns: nil when the request has no body.
    func begin(_ request: Request, on channel: any Channel) -> Reading? {
        let reading = request.hasBody ? Reading(channel: channel, deadline: .now + limit) : nil
        readings.withLock { $0[ObjectIdentifier(channel)] = reading }
        return reading
    }

    func end(_ reading: Reading) {
        readings.withLock { $0[ObjectIdentifier(reading.channel)] = nil }
    }

    package func run() async throws {
        // Its turn to stop comes after the server's: the last requests of a shutdown have deadlines too.
        try? await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                for reading in takeOverdue() { reading.expire() }
                try await Task.sleep(for: interval)
            }
        }
    }

    private func takeOverdue() -> [Reading] {
        let now = ContinuousClock.now
        return readings.withLock { readings in
            let overdue = readings.filter { $0.value.deadline <= now }
            for channel in overdue.keys { readings[channel] = nil }
            return Array(overdue.values)
        }
    }
}

extension Request {
    fileprivate var hasBody: Bool {
        if let length = headers[.contentLength] { return length != "0" }
        return headers[.transferEncoding] != nil
    }
}
