internal import CensusCore
internal import HTTPTypes
internal import NIOCore
internal import NIOHTTP1

/// A request's head, and the source of its body.
package struct Request: Sendable {
    let method: HTTPRequest.Method
    /// As sent: a path with an optional query.
    let target: String
    /// As sent, without the query.
    let path: String
    let query: String?
    let headers: Headers
    let announced: AnnouncedBody
    /// Nil if the head announces none, or if the connection collects it.
    var body: IncomingBody?
    /// A violation of HTTP in its head.
    let fault: HeadFault?
    let peer: SocketAddress?
    /// Its key, once that is known.
    let caller = Caller()
    /// Its sender, if already authenticated.
    var visitor: Visitor?
    /// Its batch, if already decoded and charged to the key.
    var batch: (content: Batch, received: Timestamp)?

    init(_ head: HTTPRequestHead, _ findings: HeadFindings, from peer: SocketAddress?) {
        method =
            switch head.method {
            case .GET: .get
            case .POST: .post
            case .HEAD: .head
            default: HTTPRequest.Method(head.method.rawValue) ?? .get
            }
        target = head.uri
        headers = Headers(head.headers)
        announced = findings.body
        fault = findings.fault
        self.peer = peer
        let origin = Request.origin(of: head.uri)
        let end = origin.utf8.firstIndex(of: UInt8(ascii: "?"))
        path = String(origin[..<(end ?? origin.endIndex)])
        query = end.map { String(origin[origin.utf8.index(after: $0)...]) }
    }

    /// The path and query of a target. In a request to a proxy the target begins with the server's address (RFC 9112, section
    /// 3.2.2).
    private static func origin(of target: String) -> Substring {
        guard target.utf8.first != UInt8(ascii: "/"), let scheme = target.firstRange(of: "://") else {
            return target[...]
        }
        let rest = target[scheme.upperBound...]
        return rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
    }

    /// The `Host` header.
    var authority: String? { headers[.host] }
}
