internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// What RFC 9112 says to refuse, but the parser lets through.
enum HeadFault: String {
    /// An HTTP/1.1 request without it (section 3.2).
    case noHost = "no_host"
    case twoHosts = "two_hosts"
    /// A coding other than chunked, which we don't support, or any in HTTP/1.0 (sections 6.1 and 7): a proxy in front of us
    /// may see another end of the body than we do.
    case coding = "transfer_coding"

    var message: String {
        switch self {
        case .noHost: "an HTTP/1.1 request has the header Host"
        case .twoHosts: "a request has one header Host"
        case .coding: "Transfer-Encoding is chunked, once, and in HTTP/1.1 only; compress with Content-Encoding: gzip"
        }
    }
}

/// What a request's head says about its connection.
struct HeadFindings: Equatable {
    var fault: HeadFault?
    /// Whether the connection ends with the answer: a client that speaks HTTP/1.0, or asks for that, reads up to the end.
    var closes = false
    var body = AnnouncedBody.none

    init(version: HTTPVersion, headers: some Sequence<(name: String, value: String)>) {
        var (hosts, codings) = (0, 0)
        var length: String?
        var isChunked = false
        for (name, value) in headers {
            // By length first: nearly every header is none of these.
            switch name.utf8.count {
            case 4 where name.lowercased() == "host": hosts += 1
            case 10 where name.lowercased() == "connection":
                closes = closes || value.lowercased().split(separator: ",").contains { $0.trimmed == "close" }
            case 14 where name.lowercased() == "content-length": length = value
            case 17 where name.lowercased() == "transfer-encoding":
                codings += 1
                isChunked = value.lowercased() == "chunked"
            default: break
            }
        }
        let isCurrent = (version.major, version.minor) >= (1, 1)
        if codings > 1 || (codings == 1 && !(isChunked && isCurrent)) {
            fault = .coding
        } else if hosts > 1 {
            fault = .twoHosts
        } else if hosts == 0, isCurrent {
            fault = .noHost
        }
        if fault != nil || !isCurrent { closes = true }
        body = AnnouncedBody(length: length, isCoded: codings > 0)
    }
}

/// Checks heads before their version is forgotten: marks faulty ones for the handler, which answers them, and ends the
/// connection after requests that nothing may follow. Tells ``HeadWatch`` what passes.
///
/// What costs more to parse than to send must not go on for long: a client that sends many requests without waiting for
/// answers gets only some of them, one that sends a body in small chunks is cut off, and what follows is thrown away unparsed.
final class HeadCheck: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// Requests in progress at once. A client that waits for its answers has one.
    static let mostAtOnce = 16

    private let watch: HeadWatch
    private var begun = 0
    private var answered = 0
    /// The number of the request that is the last one here.
    private var last: Int?

    init(watch: HeadWatch) { self.watch = watch }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !watch.throwsAway else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            guard begun - answered < HeadCheck.mostAtOnce else { return endAfterAnswers() }
            begun += 1
            let findings = HeadFindings(version: head.version, headers: head.headers)
            watch.headArrived(before: findings.body)
            guard findings.closes else { break }
            // As Hummingbird compares it.
            head.headers.replaceOrAdd(name: "connection", value: "close")
            if let fault = findings.fault {
                head.headers.replaceOrAdd(name: HTTPField.Name.headFault.rawName, value: fault.rawValue)
            }
            if last == nil { last = begun }
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body(let buffer):
            guard watch.bodyArrived(bytes: buffer.readableBytes) else { return cutOff(context) }
        case .end: watch.requestEnded()
        }
        context.fireChannelRead(data)
    }

    private func endAfterAnswers() {
        last = begun
        watch.throwAwayRest()
    }

    /// The body's reader sees it end, and can still answer.
    private func cutOff(_ context: ChannelHandlerContext) {
        watch.throwAwayRest()
        context.close(mode: .input, promise: nil)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            answered += 1
            guard answered == last else { return context.write(data, promise: promise) }
            head.headers.replaceOrAdd(name: "connection", value: "close")
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end where watch.throwsAway && answered == last:
            let written = promise ?? context.eventLoop.makePromise()
            // Only this half: with bytes unread the other side might lose the answer.
            written.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: .output, promise: nil) }
            context.write(data, promise: written)
            watch.answered()
        case .end:
            context.write(data, promise: promise)
            watch.answered()
        case .head, .body: context.write(data, promise: promise)
        }
    }
}

extension HeadFault {
    init?(_ headers: HTTPFields) {
        guard let value = headers[.headFault] else { return nil }
        self.init(rawValue: value)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var rest = self
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }
}
