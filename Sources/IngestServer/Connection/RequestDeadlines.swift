internal import NIOCore
internal import ServiceLifecycle
internal import Services
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Musl
#endif

/// Ends requests that take too long to arrive, counted from their first byte: heads, and bodies, whether they are being read
/// or were answered unread. An idle timeout does not do that: one byte a second keeps a connection from being idle.
///
/// It also ends connections whose clients take none of an answer for as long.
///
/// A list checked now and then, not a timer per request, because nearly every request arrives in one piece.
package final class RequestDeadlines: Service {
    /// One head or body that has not ended yet.
    final class Reading: Sendable {
        private static let reset = linger(l_onoff: 1, l_linger: 0)

        let channel: any Channel
        let deadline: ContinuousClock.Instant
        let isHead: Bool
        private let expired = Mutex(false)

        init(channel: any Channel, deadline: ContinuousClock.Instant, isHead: Bool) {
            self.channel = channel
            self.deadline = deadline
            self.isHead = isHead
        }

        var isExpired: Bool { expired.withLock { $0 } }

        func expire() {
            expired.withLock { $0 = true }
            // A body's reader sees it end, and can still answer; before the head is whole there is none.
            channel.close(mode: isHead ? .all : .input, promise: nil)
        }

        /// Ends the connection at once, and has the system drop what the client did not take.
        func reset() {
            _ = (channel as? any SocketOptionProvider)?.setSoLinger(Reading.reset)
            channel.close(promise: nil)
        }
    }

    private let limit: Duration
    private let interval: Duration
    /// By channel.
    private let readings = Mutex<[ObjectIdentifier: Reading]>([:])
    /// Answers that their clients take no more of, by channel.
    private let takings = Mutex<[ObjectIdentifier: Reading]>([:])
    /// Connections that ended because of that.
    let untaken = Counter()

    package init(limit: Duration, interval: Duration = .milliseconds(250)) {
        self.limit = limit
        self.interval = interval
    }

    /// To be called for every request: it also tells that the body before it on this channel has ended.
    ///
    /// - Returns: nil when the request has no body.
    func begin(_ body: AnnouncedBody, on channel: any Channel) -> Reading? {
        readings.withLock { readings in
            // A slow head has used up some of the time.
            let deadline = readings[ObjectIdentifier(channel)].flatMap { $0.isHead ? $0.deadline : nil }
            let reading =
                body == .none
                ? nil : Reading(channel: channel, deadline: deadline ?? .now + limit, isHead: false)
            readings[ObjectIdentifier(channel)] = reading
            return reading
        }
    }

    /// A head's first bytes have arrived, but not its end.
    func beginHead(on channel: any Channel) {
        readings.withLock { readings in
            // The request before may not have been read to its end yet.
            guard readings[ObjectIdentifier(channel)] == nil else { return }
            readings[ObjectIdentifier(channel)] = Reading(channel: channel, deadline: .now + limit, isHead: true)
        }
    }

    /// The channel has closed while a head was coming.
    func forget(_ channel: any Channel) {
        readings.withLock { $0[ObjectIdentifier(channel)] = nil }
    }

    func end(_ reading: Reading) {
        readings.withLock { $0[ObjectIdentifier(reading.channel)] = nil }
    }

    /// The client has stopped taking an answer.
    func beginTaking(on channel: any Channel) {
        let reading = Reading(channel: channel, deadline: .now + limit, isHead: true)
        takings.withLock { $0[ObjectIdentifier(channel)] = reading }
    }

    /// It takes it again, or the channel has closed.
    func endTaking(on channel: any Channel) { takings.withLock { $0[ObjectIdentifier(channel)] = nil } }

    package func run() async throws {
        // It stops after the server: the last requests of a shutdown have deadlines too.
        await ServiceLoop(every: interval).run { [self] in
            for reading in RequestDeadlines.takeOverdue(of: readings) { reading.expire() }
            let stuck = RequestDeadlines.takeOverdue(of: takings)
            untaken.add(stuck.count)
            for answer in stuck { answer.reset() }
        }
    }

    private static func takeOverdue(of readings: borrowing Mutex<[ObjectIdentifier: Reading]>) -> [Reading] {
        let now = ContinuousClock.now
        return readings.withLock { readings in
            let overdue = readings.filter { $0.value.deadline <= now }
            for channel in overdue.keys { readings[channel] = nil }
            return Array(overdue.values)
        }
    }
}
