internal import Logging
internal import NIOCore
internal import Synchronization

/// Counts the server's connections, and closes some when others need their place.
final class ConnectionCount: Sendable {
    fileprivate struct Turns {
        var clients: ClientTurns
        var channels: [ClientTurns.Ticket: any Channel] = [:]
        var isStopping = false
    }

    private let limit: Mutex<ConnectionLimit>
    private let turns: Mutex<Turns>
    private let faults: FaultLog
    let acceptErrors = Counter()
    /// Connections that were closed to make room.
    let cut = Counter()
    /// Connections that were reset because their clients stopped reading a response.
    let untaken = Counter()

    init(_ limit: ConnectionLimit, faults: FaultLog) {
        self.limit = Mutex(limit)
        self.turns = Mutex(Turns(clients: ClientTurns(maximum: limit.maximum)))
        self.faults = faults
    }

    var now: ConnectionLimit { limit.withLock { $0 } }

    /// A connection was opened.
    func join(_ channel: any Channel) -> ClientTurns.Ticket {
        let (ticket, cut, isStopping) = turns.withLock { turns in
            let (ticket, cut) = turns.clients.come()
            turns.channels[ticket] = channel
            return (ticket, turns.channels(of: cut), turns.isStopping)
        }
        end(cut)
        if isStopping { channel.pipeline.fireUserInboundEventTriggered(ConnectionHandler.Quiesce()) }
        return ticket
    }

    func turn(_ turn: ConnectionState.Turn, on ticket: ClientTurns.Ticket) {
        switch turn {
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
            // On the connection's event loop, where its turn changes, so that a request completed in the meantime is answered.
            channel.eventLoop.execute { [self] in
                guard channel.isActive, turns.withLock({ $0.clients.isCut(ticket) }) else { return }
                self.cut.add()
                faults.failed("door_full", "connections are closed to make room for others", ["max": "\(now.maximum)"])
                channel.close(promise: nil)
            }
        }
    }

    // MARK: Accepting

    /// Whether to accept one more connection now. Called before each.
    func hasRoom() -> Bool { limit.withLock { $0.hasRoom() } }

    func opened() { limit.withLock { $0.come() } }

    func closed() { limit.withLock { $0.go() } }

    /// Lets requests in progress finish, and closes each connection after that. If cancelled, closes all at once.
    func quiesce() async {
        let channels = turns.withLock { turns in
            turns.isStopping = true
            return Array(turns.channels.values)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ConnectionHandler.Quiesce()) }
        while now.open > 0, (try? await Task.sleep(for: .milliseconds(20))) != nil {}
        for channel in turns.withLock({ Array($0.channels.values) }) { channel.close(promise: nil) }
    }
}

extension ConnectionCount.Turns {
    fileprivate func channels(of tickets: [ClientTurns.Ticket]) -> [(ClientTurns.Ticket, any Channel)] {
        tickets.compactMap { ticket in channels[ticket].map { (ticket, $0) } }
    }
}
