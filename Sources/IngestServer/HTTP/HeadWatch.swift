internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// Notices requests whose head has begun and not ended, so that they have a deadline too: before its head is whole a
/// request is nothing that the door sees. Holds large bodies back until they are let in. And tells whose turn it is, so that
/// a full door knows which connections wait for their clients.
///
/// It stands where parts of requests pass, and puts its other half where bytes do.
final class HeadWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    /// Bytes read at once. A connection may hold so many that nobody has made room for.
    private static let readBytes = 16 << 10

    private let deadlines: RequestDeadlines
    private let gates: BodyGates
    private let connections: ConnectionCount
    private let gate = BodyGate()
    private var ticket: ClientTurns.Ticket?
    private var turn = ConnectionTurn()
    /// Between a request's head and its end.
    private var isInRequest = false
    private var sawPart = false
    private var isWaiting = false
    /// Whether the body that comes must be let in, and what came of it.
    private var isLarge = false
    private var bodyBytes = 0

    init(deadlines: RequestDeadlines, guards: Guards) {
        self.deadlines = deadlines
        self.gates = guards.gates
        self.connections = guards.connections
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let (channel, pipeline) = (context.channel, context.pipeline.syncOperations)
        gates.add(gate, of: channel)
        try? pipeline.addHandler(Bytes(self), position: .first)
        if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
            try? pipeline.addHandler(HeadCheck(watch: self), position: .before(codec))
        }
        let allocator = AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 2_048, maximum: HeadWatch.readBytes)
        try? channel.syncOptions?.setOption(.recvAllocator, value: allocator)
        try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
    }

    func channelActive(context: ChannelHandlerContext) {
        ticket = connections.join(context.channel)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        sawPart = true
        switch unwrapInboundIn(data) {
        case .head(let head):
            turn.headCame()
            isInRequest = true
            isWaiting = false
            isLarge = head.headerFields.announcesLargeBody
            bodyBytes = 0
            if isLarge { gate.begin() }
        case .end:
            turn.requestEnded()
            isInRequest = false
            isLarge = false
        case .body(let buffer): bodyBytes += buffer.readableBytes
        }
        context.fireChannelRead(data)
    }

    /// The end of an answer was written.
    func answered() {
        turn.answered()
        tellTurn()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        turn.block(!context.channel.isWritable)
        tellTurn()
        context.fireChannelWritabilityChanged()
    }

    private func tellTurn() {
        guard let ticket, let change = turn.change() else { return }
        connections.turn(change, on: ticket)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isWaiting || isInRequest { deadlines.forget(context.channel) }
        gates.remove(context.channel)
        if let ticket { connections.leave(ticket) }
        ticket = nil
        context.fireChannelInactive()
    }

    /// Bytes came, and have gone through the parser.
    ///
    /// Those of a head that came together with the end of the request before are noticed with the next ones.
    private func bytesPassed(_ channel: any Channel) {
        defer {
            sawPart = false
            tellTurn()
        }
        guard !isInRequest, !sawPart, !isWaiting else { return }
        isWaiting = true
        turn.headBegan()
        deadlines.beginHead(on: channel)
    }

    private var mayRead: Bool { !isLarge || bodyBytes <= BodyGate.free || gate.isOpen() }

    private final class Bytes: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let watch: HeadWatch

        init(_ watch: HeadWatch) { self.watch = watch }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.fireChannelRead(data)
            watch.bytesPassed(context.channel)
        }

        /// Whoever lets the body in reads on.
        func read(context: ChannelHandlerContext) {
            if watch.mayRead { context.read() }
        }

        /// Past its deadline a body sees its end, so that whoever reads it can answer. To one that was answered already the parser
        /// would give a second answer.
        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            context.close(mode: mode == .input && watch.turn.isAnsweredEarly ? .all : mode, promise: promise)
        }
    }
}
