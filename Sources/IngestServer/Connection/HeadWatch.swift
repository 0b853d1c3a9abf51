internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1

/// Notices requests whose head has begun and not ended, so that they have a deadline too: the handler sees a request only once
/// its head is whole. Holds large bodies back until they are let in. And tells whose turn it is, so that a full server knows
/// which connections wait for their clients.
///
/// ``Bytes`` sees the bytes, and ``HeadCheck`` the parts of requests: both report to it.
final class HeadWatch {
    /// Bytes read at once: what a connection may hold without having reserved room.
    private static let readBytes = 16 << 10
    /// What passing on one part of a body costs, in bytes. Up to ``freeParts`` parts may be smaller.
    private static let bytesOfPart = 32
    private static let freeParts = 256
    /// Bytes that are read and thrown away after the last request that is answered.
    private static let patience = 128 << 10

    private let deadlines: RequestDeadlines
    private let admissions: BodyAdmissions
    private let connections: ConnectionCount
    private let admission = BodyAdmission()
    private let flows: ByChannel<AnswerFlow>
    private let flow = AnswerFlow()
    private var isBlocked = false
    private var ticket: ClientTurns.Ticket?
    private var turn = ConnectionTurn()
    /// Between a request's head and its end.
    private var isInRequest = false
    private var sawPart = false
    private var isWaiting = false
    private var body = AnnouncedBody.none
    /// How much of it has arrived, and in how many parts.
    private var bodyBytes = 0
    private var bodyParts = 0
    /// Whether what comes now belongs to no request that will be answered.
    private(set) var throwsAway = false

    private init(deadlines: RequestDeadlines, admission: Admission) {
        self.deadlines = deadlines
        self.admissions = admission.bodies
        self.flows = admission.flows
        self.connections = admission.connections
    }

    func headArrived(before body: AnnouncedBody) {
        sawPart = true
        turn.headArrived()
        isInRequest = true
        isWaiting = false
        self.body = body
        (bodyBytes, bodyParts) = (0, 0)
        if body.isLarge { admission.begin() }
    }

    /// - Returns: false when it arrives in so many small parts that parsing them is most of the work.
    func bodyArrived(bytes: Int) -> Bool {
        sawPart = true
        bodyBytes += bytes
        bodyParts += 1
        return bodyParts <= HeadWatch.freeParts + bodyBytes / HeadWatch.bytesOfPart
    }

    /// Drops what comes from now on, unparsed.
    func throwAwayRest() { throwsAway = true }

    func requestEnded() {
        sawPart = true
        turn.requestEnded()
        isInRequest = false
        body = .none
    }

    /// The end of an answer was written.
    func answered() {
        flow.written()
        turn.answered()
        reportTurn()
    }

    private func begin(on channel: any Channel) {
        admissions.add(admission, of: channel)
        flows[channel] = flow
        ticket = connections.join(channel)
    }

    /// The client takes its answers no more, or again. It has a deadline for that, and what it sends meanwhile is not read.
    private func block(_ isBlocked: Bool, on channel: any Channel) {
        self.isBlocked = isBlocked
        if isBlocked { deadlines.beginTaking(on: channel) } else { deadlines.endTaking(on: channel) }
        flow.block(isBlocked)
        turn.block(isBlocked)
        reportTurn()
    }

    private func reportTurn() {
        guard let ticket, let change = turn.change() else { return }
        connections.turn(change, on: ticket)
    }

    private func end(on channel: any Channel) {
        if isWaiting || isInRequest { deadlines.forget(channel) }
        deadlines.endTaking(on: channel)
        admissions.remove(channel)
        flows[channel] = nil
        flow.end()
        if let ticket { connections.leave(ticket) }
        ticket = nil
    }

    /// Bytes have gone through the parser.
    ///
    /// The beginning of a head that arrived together with the end of the request before is noticed with the next bytes.
    private func bytesPassed(_ channel: any Channel) {
        defer {
            sawPart = false
            reportTurn()
        }
        guard !isInRequest, !sawPart, !isWaiting else { return }
        isWaiting = true
        turn.headBegan()
        deadlines.beginHead(on: channel)
    }

    private var mayRead: Bool { !isBlocked && mayReadBody }

    private var mayReadBody: Bool {
        !body.isLarge || bodyBytes + bodyParts * HeadWatch.bytesOfPart <= BodyAdmission.free || throwsAway
            || admission.isOpen()
    }

    private final class Bytes: ChannelDuplexHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let watch: HeadWatch
        private var thrownAway = 0
        /// Whether reading is to go on once the client takes its answers again.
        private var hasHeldRead = false

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
            let isBlocked = !context.channel.isWritable
            watch.block(isBlocked, on: context.channel)
            context.fireChannelWritabilityChanged()
            guard !isBlocked, hasHeldRead else { return }
            hasHeldRead = false
            read(context: context)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !watch.throwsAway else { return throwAway(unwrapInboundIn(data), context) }
            context.fireChannelRead(data)
            watch.bytesPassed(context.channel)
        }

        /// A client that still sends may not have read its answer yet, and would lose it; but we don't wait for all it sends.
        private func throwAway(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
            thrownAway += bytes.readableBytes
            if thrownAway > HeadWatch.patience { context.close(promise: nil) }
        }

        /// While the body is held back, its entry resumes reading; while the client takes no answers, that it does so again.
        func read(context: ChannelHandlerContext) {
            if watch.mayRead { context.read() } else if watch.isBlocked { hasHeldRead = true }
        }

        /// Past its deadline a body is ended, so that its reader can answer. Where it was answered already, the parser would
        /// answer a second time.
        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
            context.close(mode: mode == .input && watch.turn.isAnsweredEarly ? .all : mode, promise: promise)
        }
    }

    /// For Hummingbird: puts a watch's two handlers into the pipeline, and removes itself.
    final class Installer: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPRequestPart

        private let deadlines: RequestDeadlines
        private let admission: Admission

        init(deadlines: RequestDeadlines, admission: Admission) {
            self.deadlines = deadlines
            self.admission = admission
        }

        func handlerAdded(context: ChannelHandlerContext) {
            let (channel, pipeline) = (context.channel, context.pipeline.syncOperations)
            let watch = HeadWatch(deadlines: deadlines, admission: admission)
            try? pipeline.addHandler(Bytes(watch), position: .first)
            if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
                try? pipeline.addHandler(HeadCheck(watch: watch), position: .before(codec))
            }
            let allocator = AdaptiveRecvByteBufferAllocator(
                minimum: 1_024, initial: 2_048, maximum: HeadWatch.readBytes)
            try? channel.syncOptions?.setOption(.recvAllocator, value: allocator)
            try? channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            try? channel.syncOptions?.setOption(.writeBufferWaterMark, value: AnswerFlow.marks)
            try? channel.syncOptions?.setOption(.socketOption(.so_sndbuf), value: AnswerFlow.systemBytes)
            pipeline.removeHandler(context: context, promise: nil)
        }
    }
}
