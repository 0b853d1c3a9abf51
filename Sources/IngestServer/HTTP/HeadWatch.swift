internal import HTTPTypes
internal import NIOCore
internal import NIOHTTPTypes

/// Notices requests whose head has begun and not ended, so that they have a deadline too: before its head is whole a
/// request is nothing that the door sees.
///
/// It stands where parts of requests pass, and puts its other half where bytes do.
final class HeadWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let deadlines: RequestDeadlines
    /// Between a request's head and its end.
    private var isInRequest = false
    private var sawPart = false
    private var isWaiting = false

    init(deadlines: RequestDeadlines) { self.deadlines = deadlines }

    func handlerAdded(context: ChannelHandlerContext) {
        try? context.pipeline.syncOperations.addHandler(Bytes(self), position: .first)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        sawPart = true
        switch unwrapInboundIn(data) {
        case .head:
            isInRequest = true
            isWaiting = false
        case .end: isInRequest = false
        case .body: break
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isWaiting { deadlines.forget(context.channel) }
        context.fireChannelInactive()
    }

    /// Bytes came, and have gone through the parser.
    ///
    /// Those of a head that came together with the end of the request before are noticed with the next ones.
    private func bytesPassed(_ channel: any Channel) {
        defer { sawPart = false }
        guard !isInRequest, !sawPart, !isWaiting else { return }
        isWaiting = true
        deadlines.beginHead(on: channel)
    }

    private final class Bytes: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let watch: HeadWatch

        init(_ watch: HeadWatch) { self.watch = watch }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.fireChannelRead(data)
            watch.bytesPassed(context.channel)
        }
    }
}
