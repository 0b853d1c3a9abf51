internal import HummingbirdCore
internal import NIOCore
internal import Synchronization

/// The connections of this door, counted by whoever accepts them.
final class ConnectionCount: Sendable {
    private let room: Mutex<ConnectionRoom>
    let acceptErrors = Counter()

    init(_ room: ConnectionRoom) { self.room = Mutex(room) }

    var now: ConnectionRoom { room.withLock { $0 } }

    /// For Hummingbird, which asks it before it accepts.
    struct Delegate: AvailableConnectionsDelegate {
        let count: ConnectionCount

        mutating func connectionOpened() { count.room.withLock { $0.come() } }
        mutating func connectionClosed() { count.room.withLock { $0.go() } }
        func isAcceptingNewConnections() -> Bool { count.room.withLock { $0.hasRoom() } }
    }

    /// Counts what goes wrong when a connection is accepted, and rests: out of descriptors the event loop would try again
    /// and again, and serve nobody else meanwhile.
    final class AcceptWatch: ChannelInboundHandler, Sendable {
        typealias InboundIn = any Channel
        typealias InboundOut = any Channel

        private static let rest: TimeAmount = .milliseconds(100)

        private let count: ConnectionCount

        init(_ count: ConnectionCount) { self.count = count }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            count.acceptErrors.add()
            let channel = context.channel
            // Without it the read that failed stays wanted, and is tried at once.
            channel.setOption(.autoRead, value: false).whenComplete { _ in
                channel.eventLoop.scheduleTask(in: AcceptWatch.rest) {
                    channel.setOption(.autoRead, value: true).whenComplete { _ in }
                }
            }
            // It ends here: whoever is next would take it for the end of the server.
        }
    }
}
