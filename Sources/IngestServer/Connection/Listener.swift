internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import ServiceLifecycle

/// Listens, accepts connections while there is room, and stops when its last request is answered.
final class Listener: Service {
    /// What the parser takes as a head.
    private static let heads: NIOHTTPDecoderLimitConfiguration = {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 16 << 10
        limits.maxHeaderListSize = 16 << 10
        limits.maxHeaderFieldCount = 100
        return limits
    }()

    /// Not longer: whatever arrives during a burst waits in the same line. With 3,000 connections at once the others' p99
    /// was a second with 4,096, and is 150 ms with this (Benchmarks/attack, silent-connections).
    private static let backlog: Int32 = 1_024
    /// Bytes read at once: what a connection may hold without having reserved room.
    private static let readBytes = 16 << 10
    /// Bytes that a channel may hold before its client counts as one that takes no answers, and after which it no longer does.
    private static let marks = ChannelOptions.Types.WriteBufferWaterMark(low: 8 << 10, high: 16 << 10)
    /// What the system may keep of a connection's answers, which it takes twice for its own purposes. Left to itself it keeps
    /// megabytes.
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
            "stopping: no new connections, and requests that have begun are answered",
            metadata: ["connections": "\(connections.now.open)"])
        try? await channel.close()
        await connections.quiesce()
        let took = ContinuousClock.now - begun
        logger.notice("every connection has ended", metadata: ["seconds": "\(took.components.seconds)"])
    }

    private func bind() async throws -> any Channel {
        let (responder, connections, limits) = (responder, connections, limits)
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
                        ConnectionHandler.Bytes(connection),
                        ByteToMessageHandler(
                            HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: Listener.heads)),
                        connection)
                }
            }
            .bind(host: host, port: port).get()
    }
}

/// Accepts no more connections than there may be, and pauses after each failure to accept one: without descriptors the event
/// loop would retry without end, and serve no other connection.
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
        // Otherwise the failed read stays pending, and is tried again at once.
        channel.setOption(.autoRead, value: false).whenComplete { _ in
            channel.eventLoop.scheduleTask(in: AcceptHandler.rest) {
                channel.setOption(.autoRead, value: true).whenComplete { _ in }
            }
        }
        // Not passed on: the next handler would take it for the end of the server.
    }
}
