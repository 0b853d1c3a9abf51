internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// Listens, accepts connections while there is room, and stops when the last request is answered.
final class Listener: Service {
    /// The parser's limits for a head.
    private static let heads: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 16 << 10
        limits.maxHeaderListSize = 16 << 10
        limits.maxHeaderFieldCount = 100
        return limits
    }()

    /// Not longer, because new connections wait behind all others of a burst. With 3,000 connections at once, the p99 of the
    /// others was a second at 4,096, and is 150 ms at this (Benchmarks/attack, silent-connections).
    private static let backlog: Int32 = 1_024
    /// Bytes read at once, which a connection holds without a reservation.
    private static let readBytes = 16 << 10
    /// A client that lets more than `high` bytes of responses pile up counts as not reading, until there are fewer than `low`.
    private static let marks = ChannelOptions.Types.WriteBufferWaterMark(low: 8 << 10, high: 16 << 10)
    /// The socket's send buffer, which Linux doubles for its own overhead. By default it grows to megabytes.
    private static let systemBytes: SocketOptionValue = 64 << 10

    private let host: String
    private let port: Int
    private let responder: any Responder
    private let connections: ConnectionCount
    private let limits: ConnectionState.Limits
    private let onListening: @Sendable (Int) async -> Void
    private let logger: Logger

    init(
        host: String, port: Int, responder: any Responder, connections: ConnectionCount, limits: ConnectionState.Limits,
        onListening: @escaping @Sendable (Int) async -> Void, logger: Logger
    ) {
        self.host = host
        self.port = port
        self.responder = responder
        self.connections = connections
        self.limits = limits
        self.onListening = onListening
        self.logger = logger
    }

    func run() async throws {
        let channel = try await bind()
        await onListening(channel.localAddress?.port ?? port)
        try? await gracefulShutdown()
        let begun = ContinuousClock.now
        logger.notice(
            "stopping: accepting no new connections, finishing requests in progress",
            metadata: ["connections": "\(connections.now.open)"])
        try? await channel.close()
        await connections.quiesce()
        let took = ContinuousClock.now - begun
        logger.notice("all connections have ended", metadata: ["seconds": "\(took.components.seconds)"])
    }

    private func bind() async throws -> any Channel {
        let (responder, connections, limits) = (responder, connections, limits)
        // The first connections come on several event loops at once. Swift's runtime (6.3.1) once crashed while two of them made
        // the metadata of this generic type, so make it before.
        withExtendedLifetime(Listener.decoder()) {}
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: Listener.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptHandler(connections))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 2_048, maximum: Listener.readBytes)
            )
            .childChannelOption(.writeBufferWaterMark, value: Listener.marks)
            .childChannelOption(.socketOption(.so_sndbuf), value: Listener.systemBytes)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = ConnectionHandler(responder: responder, connections: connections, limits: limits)
                    try channel.pipeline.syncOperations.addHandlers(
                        ConnectionHandler.Bytes(connection), Listener.decoder(), connection)
                }
            }
            .bind(host: host, port: port).get()
    }

    private static func decoder() -> ByteToMessageHandler<HTTPRequestDecoder> {
        ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: heads))
    }
}

/// Accepts connections up to the limit, and pauses after each failure to accept one. Otherwise, when descriptors run out, the
/// event loop would retry endlessly and serve no other connection.
final class AcceptHandler: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private static let rest: TimeAmount = .milliseconds(100)

    private let connections: ConnectionCount
    private var hasHeldRead = false

    init(_ connections: ConnectionCount) { self.connections = connections }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connections.opened()
        let (handler, loop) = (NIOLoopBound((self, context), eventLoop: context.eventLoop), context.eventLoop)
        unwrapInboundIn(data).closeFuture.whenComplete { [connections] _ in
            connections.closed()
            loop.execute {
                let (handler, context) = handler.value
                handler.readOn(context)
            }
        }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        if connections.hasRoom() { context.read() } else { hasHeldRead = true }
    }

    private func readOn(_ context: ChannelHandlerContext) {
        guard hasHeldRead, context.channel.isActive, connections.hasRoom() else { return }
        hasHeldRead = false
        context.read()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        connections.acceptErrors.add()
        let channel = context.channel
        // Otherwise the failed read stays pending and is retried at once.
        channel.setOption(.autoRead, value: false).whenComplete { _ in
            channel.eventLoop.scheduleTask(in: AcceptHandler.rest) {
                channel.setOption(.autoRead, value: true).whenComplete { _ in }
            }
        }
        // Not passed on, because the next handler would close the server's channel.
    }
}
