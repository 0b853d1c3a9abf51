internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Synchronization

/// This server's connections: counted as they are accepted, and closed when others need their place.
final class ConnectionCount: Sendable {
    fileprivate struct Turns {
        var clients: ClientTurns
        var channels: [ClientTurns.Ticket: any Channel] = [:]
    }

    private let limit: Mutex<ConnectionLimit>
    private let turns: Mutex<Turns>
    private let faults: FaultLog
    let acceptErrors = Counter()
    /// Connections that were closed to make room.
    let cut = Counter()

    init(_ limit: ConnectionLimit, faults: FaultLog) {
        self.limit = Mutex(limit)
        self.turns = Mutex(Turns(clients: ClientTurns(maximum: limit.maximum)))
        self.faults = faults
    }

    var now: ConnectionLimit { limit.withLock { $0 } }

    /// A connection begins.
    func join(_ channel: any Channel) -> ClientTurns.Ticket {
        let (ticket, cut) = turns.withLock { turns in
            let (ticket, cut) = turns.clients.come()
            turns.channels[ticket] = channel
            return (ticket, turns.channels(of: cut))
        }
        end(cut)
        return ticket
    }

    func turn(_ change: ConnectionTurn.Change, on ticket: ClientTurns.Ticket) {
        switch change {
        case .work: turns.withLock { $0.clients.work(ticket) }
        case .wait: end(turns.withLock { $0.channels(of: $0.clients.wait(ticket)) })
        }
    }

    func leave(_ ticket: ClientTurns.Ticket) {
        turns.withLock { turns in
            turns.clients.leave(ticket)
            turns.channels[ticket] = nil
        }
    }

    private func end(_ cut: [(ClientTurns.Ticket, any Channel)]) {
        for (ticket, channel) in cut {
            // On its own event loop, where its turn changes: a request that has fully arrived in the meantime is answered.
            channel.eventLoop.execute { [self] in
                guard channel.isActive, turns.withLock({ $0.clients.isCut(ticket) }) else { return }
                self.cut.add()
                faults.failed("door_full", "connections are closed to make room for others", ["max": "\(now.maximum)"])
                channel.close(promise: nil)
            }
        }
    }

    /// For Hummingbird, which asks it before it accepts.
    struct Delegate: AvailableConnectionsDelegate {
        let count: ConnectionCount

        mutating func connectionOpened() { count.limit.withLock { $0.come() } }
        mutating func connectionClosed() { count.limit.withLock { $0.go() } }
        func isAcceptingNewConnections() -> Bool { count.limit.withLock { $0.hasRoom() } }
    }

    /// Counts failures to accept a connection, and pauses after each: without descriptors the event loop would retry without
    /// end, and serve no other connection.
    final class AcceptWatch: ChannelInboundHandler, Sendable {
        typealias InboundIn = any Channel
        typealias InboundOut = any Channel

        private static let rest: TimeAmount = .milliseconds(100)

        private let count: ConnectionCount

        init(_ count: ConnectionCount) { self.count = count }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            count.acceptErrors.add()
            let channel = context.channel
            // Otherwise the failed read stays pending, and is tried again at once.
            channel.setOption(.autoRead, value: false).whenComplete { _ in
                channel.eventLoop.scheduleTask(in: AcceptWatch.rest) {
                    channel.setOption(.autoRead, value: true).whenComplete { _ in }
                }
            }
            // Not passed on: the next handler would take it for the end of the server.
        }
    }
}

extension ConnectionCount.Turns {
    fileprivate func channels(of tickets: [ClientTurns.Ticket]) -> [(ClientTurns.Ticket, any Channel)] {
        tickets.compactMap { ticket in channels[ticket].map { (ticket, $0) } }
    }
}
