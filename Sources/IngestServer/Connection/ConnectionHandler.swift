internal import NIOCore
internal import NIOHTTP1

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Handles one connection: tells its ``ConnectionState`` what arrives, and carries out its decisions.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    private enum Part {
        case head(HTTPRequestHead)
        case body(ByteBuffer)
        case end
        /// The rest is not HTTP, or too expensive to parse.
        case broken(ParseFault)
    }

    private let responder: any Responder
    private let connections: ConnectionCount
    private var state: ConnectionState
    private var parts = CircularBuffer<Part>()
    private var body: IncomingBody?
    private var collected: (taker: any BodyTaker, bytes: ByteBuffer)?
    /// Whether the client sent `Expect: 100-continue` and still waits.
    private var expectsWord = false
    private var isHead = false
    /// The unwritten rest of a large response.
    private var outgoing: (rest: ByteBuffer, memory: Admission.Answer?)?
    private var ticket: ClientTurns.Ticket?
    /// For callers on other threads; nil once the connection has ended.
    private var bound: NIOLoopBound<ConnectionHandler>?
    private var context: ChannelHandlerContext?
    /// Kept, because it takes a system call.
    private var peer: SocketAddress?
    private var hasHeldRead = false
    private var isSettling = false
    /// When the deadline is checked next.
    private var look: (at: NIODeadline, timer: Scheduled<Void>)?

    init(responder: any Responder, connections: ConnectionCount, limits: ConnectionState.Limits) {
        self.responder = responder
        self.connections = connections
        state = ConnectionState(limits: limits, at: .now())
    }

    // MARK: Input

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    }

    func handlerRemoved(context: ChannelHandlerContext) { (self.context, bound) = (nil, nil) }

    func channelActive(context: ChannelHandlerContext) {
        ticket = connections.join(context.channel)
        peer = context.remoteAddress
        settle()
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        body?.end(.failure(.cut))
        if let ticket { connections.leave(ticket) }
        (ticket, body, collected, outgoing) = (nil, nil, nil, nil)
        parts.removeAll()
        // The timer would retain this object until the idle deadline.
        look?.timer.cancel()
        (self.context, bound, look) = (nil, nil, nil)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): take(.head(head), state.headArrived())
        case .body(let bytes): take(.body(bytes), state.bodyArrived(bytes.readableBytes))
        case .end:
            take(.end, state.endArrived())
            // Not for each part, because most reads are one whole request.
            settle()
        }
    }

    private func take(_ part: Part, _ intake: ConnectionState.Intake) {
        switch intake {
        case .take: parts.append(part)
        case .cutOff: parts.append(.broken(.notHTTP))
        case .drop: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        settle(afterRead: true)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Either the parser's error, or the socket's, which ends the connection anyway.
        guard error is HTTPParserError || error is NIOHTTPDecoderError else { return context.close(promise: nil) }
        let isTooLarge = error as? HTTPParserError == .headerOverflow
        take(.broken(isTooLarge ? .headTooLarge : .notHTTP), state.broke())
        settle()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            state.ended()
            settle()
        case is Quiesce:
            state.quiesce()
            settle()
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// The event that the server is stopping.
    struct Quiesce: Sendable {}

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        state.block(!context.channel.isWritable, at: .now())
        writeOn()
        settle()
    }

    func read(context: ChannelHandlerContext) {
        if state.mayRead { context.read() } else { hasHeldRead = true }
    }

    // MARK: Requests

    /// Carries out everything that follows from a change of the state.
    ///
    /// - Parameter afterRead: whether all parts of a read were taken.
    private func settle(afterRead: Bool = false) {
        guard !isSettling, let context else { return }
        isSettling = true
        defer { isSettling = false }
        while let part = parts.first, mayPass(part) {
            parts.removeFirst()
            pass(part)
        }
        if afterRead { state.readEnded(at: .now()) }
        guard context.channel.isActive else { return }
        if let ticket, let turn = state.turnChange() { connections.turn(turn, on: ticket) }
        if state.ends() { sayFarewell(context) }
        if state.isOver { return context.close(promise: nil) }
        if hasHeldRead, state.mayRead {
            hasHeldRead = false
            context.read()
        }
        watchDeadline(context)
    }

    private func mayPass(_ part: Part) -> Bool {
        switch part {
        case .head: state.mayBegin
        case .body, .end: true
        case .broken: state.isReceiving || state.mayBegin
        }
    }

    private func pass(_ part: Part) {
        switch part {
        case .head(let head): begin(head)
        case .body(let bytes):
            if state.passed(bytes.readableBytes) { add(bytes) }
        case .end:
            state.received()
            if let (taker, bytes) = collected { take(bytes, for: taker) } else { body?.end() }
        case .broken(let fault):
            if state.isReceiving {
                failBody(.cut)
            } else {
                state.begin(isLast: true, at: .now())
                state.received()
                isHead = false
                answer(responder.respond(to: fault))
            }
        }
    }

    private func begin(_ parsed: HTTPRequestHead) {
        guard context != nil else { return }
        var head = parsed
        head.headers.trimValues()
        let findings = HeadFindings(version: head.version, headers: head.headers)
        state.begin(isLast: findings.closes || head.method == .CONNECT, at: .now())
        (body, collected) = (nil, nil)
        expectsWord = findings.expectsWord && findings.body != .none
        isHead = head.method == .HEAD
        let request = Request(head, findings, from: peer)
        switch responder.begin(request) {
        case .answer(let response): answer(response)
        case .collect(let taker):
            collected = (taker, ByteBuffer())
            sayContinue()
        case .later: respondLater(to: request)
        }
    }

    private func respondLater(to request: Request, _ known: ByteBuffer? = nil) {
        guard let context, let bound else { return }
        let loop = context.eventLoop
        var request = request
        if request.announced != .none {
            let body = IncomingBody { loop.execute { bound.value.goOn() } }
            if let known {
                body.add(known)
                body.end()
            } else {
                self.body = body
            }
            request.body = body
        }
        Task { [responder, request] in
            let response = await responder.respond(to: request)
            loop.execute {
                bound.value.answer(response)
                bound.value.settle()
            }
        }
    }

    // MARK: Bodies

    private func add(_ bytes: ByteBuffer) {
        if collected != nil {
            collected?.bytes.append(bytes)
        } else if let body {
            body.add(bytes)
            state.filled(body.isFull)
        }
    }

    private func take(_ bytes: ByteBuffer, for taker: any BodyTaker) {
        guard let context, let bound else { return }
        collected = nil
        let rest = taker.take(bytes, on: context.eventLoop) { response in
            bound.value.answer(response)
            bound.value.settle()
        }
        if let rest { respondLater(to: rest, bytes) }
    }

    /// The body's reader has asked for it, or has taken some.
    private func goOn() {
        guard let body, context != nil else { return }
        if body.isAsked {
            state.asked()
            sayContinue()
        }
        state.filled(body.isFull)
        settle()
    }

    private func sayContinue() {
        if expectsWord, state.isWaitingForBody {
            context?.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
        }
        expectsWord = false
    }

    private func failBody(_ failure: IncomingBody.Failure) {
        state.failBody()
        if let taker = collected?.taker {
            collected = nil
            answer(taker.fail(failure))
        } else {
            body?.end(.failure(failure))
        }
    }

    // MARK: Answers

    private func answer(_ response: Response) {
        guard let context, context.channel.isActive else { return }
        let hasBody = response.body.readableBytes > 0 && !isHead && response.mayHaveBody
        // After this response the client might send its body or not, so only closing the connection is unambiguous.
        if expectsWord, state.isWaitingForBody { state.endAfterResponse() }
        var bytes = context.channel.allocator.buffer(
            capacity: 256 + (response.isLarge ? 0 : response.body.readableBytes))
        response.writeHead(to: &bytes, isLast: state.answer())
        if hasBody, response.isLarge {
            context.write(wrapOutboundOut(bytes), promise: nil)
            outgoing = (response.body, response.memory)
            return writeOn()
        }
        if hasBody { bytes.writeImmutableBuffer(response.body) }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        state.answered(at: .now())
    }

    /// Writes as much of a large response as the client reads.
    private func writeOn() {
        while let context, context.channel.isWritable, let (answer, memory) = outgoing {
            var rest = answer
            guard let piece = rest.readSlice(length: min(Response.piece, rest.readableBytes)), piece.readableBytes > 0
            else {
                outgoing = nil
                return state.answered(at: .now())
            }
            outgoing = (rest, memory)
            // A piece that waits for the client must not retain the whole body, unless all responses share it.
            let copy = memory == nil ? piece : ByteBuffer(bytes: piece.readableBytesView)
            context.writeAndFlush(wrapOutboundOut(copy), promise: nil)
        }
    }

    private func sayFarewell(_ context: ChannelHandlerContext) {
        let flushed = context.eventLoop.makePromise(of: Void.self)
        flushed.futureResult.assumeIsolated().whenComplete { [self] _ in
            if state.flushed(at: .now()) {
                context.close(promise: nil)
            } else {
                context.close(mode: .output, promise: nil)
                settle()
            }
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: flushed)
    }

    // MARK: Unparsed bytes, and deadlines

    var isStopped: Bool { state.isStopped }

    /// Discards bytes, up to a limit, instead of closing at once: a client that is still sending might not have read its
    /// response, and would lose it.
    func throwAway(_ bytes: Int) {
        if state.threwAway(bytes) { context?.close(promise: nil) }
    }

    private func watchDeadline(_ context: ChannelHandlerContext) {
        guard let deadline = state.deadline, let bound, look.map({ deadline < $0.at }) ?? true else { return }
        look?.timer.cancel()
        // A timer that fires too early is cheaper than rescheduling it with each request.
        look = (deadline, context.eventLoop.scheduleTask(deadline: deadline) { bound.value.lookAtDeadline() })
    }

    private func lookAtDeadline() {
        look = nil
        guard let context else { return }
        switch state.lateness(at: .now()) {
        case nil: break
        case .failBody: failBody(.tooSlow)
        case .end(.close, _): return context.close(promise: nil)
        case .end(.reset, let isUntaken):
            if isUntaken { connections.untaken.add() }
            _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(ConnectionHandler.reset)
            return context.close(promise: nil)
        }
        settle()
    }

    private static let reset = linger(l_onoff: 1, l_linger: 0)

    /// Discards bytes before the parser once nothing is parsed any more.
    final class Bytes: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let connection: ConnectionHandler

        init(_ connection: ConnectionHandler) { self.connection = connection }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard connection.isStopped else { return context.fireChannelRead(data) }
            connection.throwAway(unwrapInboundIn(data).readableBytes)
        }
    }
}

extension ByteBuffer {
    /// Appends without copying the first buffer, which is usually the only one.
    mutating func append(_ bytes: ByteBuffer) {
        if readableBytes == 0 { self = bytes } else { writeImmutableBuffer(bytes) }
    }
}
