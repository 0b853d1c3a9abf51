internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// Notices requests whose head has begun and not ended, so that they have a deadline too: before its head is whole a
/// request is nothing that the door sees. Holds large bodies back until they are let in. And tells whose turn it is, so that
/// a full door knows which connections wait for their clients.
///
/// ``Bytes`` stands where bytes pass, and ``HeadCheck`` where parts of requests do: both tell it.
final class HeadWatch {
    /// Bytes read at once. A connection may hold so many that nobody has made room for.
    private static let readBytes = 16 << 10
    /// What it takes to pass on one part of a body, in bytes of it. So many parts may be smaller.
    private static let bytesOfPart = 32
    private static let freeParts = 256
    /// Bytes that are read and thrown away behind what is still answered.
    private static let patience = 128 << 10

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
    private var body = AnnouncedBody.none
    /// What came of it, and in how many parts.
    private var bodyBytes = 0
    private var bodyParts = 0
    /// What comes now belongs to no request that is answered.
    private(set) var throwsAway = false

    private init(deadlines: RequestDeadlines, guards: Guards) {
        self.deadlines = deadlines
        self.gates = guards.gates
        self.connections = guards.connections
    }

    func headCame(before body: AnnouncedBody) {
        sawPart = true
        turn.headCame()
        isInRequest = true
        isWaiting = false
        self.body = body
        (bodyBytes, bodyParts) = (0, 0)
        if body.isLarge { gate.begin() }
    }

    /// - Returns: false when it comes in so many small parts that to take them apart is most of the work.
    func bodyCame(bytes: Int) -> Bool {
        sawPart = true
        bodyBytes += bytes
        bodyParts += 1
        return bodyParts <= HeadWatch.freeParts + bodyBytes / HeadWatch.bytesOfPart
    }

    /// What comes from now on is nobody's, and is not parsed.
    func throwAwayRest() { throwsAway = true }

    func requestEnded() {
        sawPart = true
        turn.requestEnded()
        isInRequest = false
        body = .none
    }

    /// The end of an answer was written.
    func answered() {
        turn.answered()
        tellTurn()
    }

    private func begin(on channel: any Channel) {
        gates.add(gate, of: channel)
        ticket = connections.join(channel)
    }

    private func block(_ isBlocked: Bool) {
        turn.block(isBlocked)
        tellTurn()
    }

    private func tellTurn() {
        guard let ticket, let change = turn.change() else { return }
        connections.turn(change, on: ticket)
    }

    private func end(on channel: any Channel) {
        if isWaiting || isInRequest { deadlines.forget(channel) }
        gates.remove(channel)
        if let ticket { connections.leave(ticket) }
        ticket = nil
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

    private var mayRead: Bool {
        !body.isLarge || bodyBytes + bodyParts * HeadWatch.bytesOfPart <= BodyGate.free || throwsAway || gate.isOpen()
    }

    private final class Bytes: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let watch: HeadWatch
        private var thrownAway = 0

        init(_ watch: HeadWatch) { self.watch = watch }

        func channelActive(context: ChannelHandlerContext) {
            watch.begin(on: context.channel)
            context.fireChannelActive()
        }

        func channelInactive(context: ChannelHandlerContext) {
            watch.end(on: context.channel)
            context.fireChannelInactive()
        }

        func channelWritabilityChanged(context: ChannelHandlerContext) {
            watch.block(!context.channel.isWritable)
            context.fireChannelWritabilityChanged()
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !watch.throwsAway else { return throwAway(unwrapInboundIn(data), context) }
            context.fireChannelRead(data)
            watch.bytesPassed(context.channel)
        }

        /// A client that still sends may not have read its answer yet, and would lose it; but not all that it has is waited for.
        private func throwAway(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
            thrownAway += bytes.readableBytes
            if thrownAway > HeadWatch.patience { context.close(promise: nil) }
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

    /// What Hummingbird is given: puts a watch's two halves where they belong, and goes.
    final class Installer: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart

        private let deadlines: RequestDeadlines
        private let guards: Guards

        init(deadlines: RequestDeadlines, guards: Guards) {
            self.deadlines = deadlines
            self.guards = guards
        }

        func handlerAdded(context: ChannelHandlerContext) {
            let (channel, pipeline) = (context.channel, context.pipeline.syncOperations)
            let watch = HeadWatch(deadlines: deadlines, guards: guards)
            try? pipeline.addHandler(Bytes(watch), position: .first)
            if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
                try? pipeline.addHandler(HeadCheck(watch: watch), position: .before(codec))
            }
            let allocator = AdaptiveRecvByteBufferAllocator(
                minimum: 1_024, initial: 2_048, maximum: HeadWatch.readBytes)
            try? channel.syncOptions?.setOption(.recvAllocator, value: allocator)
            try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            pipeline.removeHandler(context: context, promise: nil)
        }
    }
}
