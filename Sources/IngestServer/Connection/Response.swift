package import HTTPTypes
package import NIOCore

/// An answer, whole.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    package var headers: Headers
    package var body: ByteBuffer
    /// What it reserves until the client has taken it; nil for a small one, and for one that all answers share.
    var memory: Admission.Answer?

    package init(status: HTTPResponse.Status, headers: Headers = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Larger ones are written in pieces of this size, each when the client has room for it.
    static let piece = 8 << 10

    var isLarge: Bool { body.readableBytes > Response.piece }

    /// RFC 9110, section 6.4.1.
    var mayHaveBody: Bool { status.kind != .informational && status.code != 204 && status.code != 304 }

    /// As HTTP/1.1 spells it, up to the empty line.
    ///
    /// - Parameter isLast: whether the connection ends with this answer.
    func writeHead(to buffer: inout ByteBuffer, isLast: Bool) {
        buffer.writeString("HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
        for (name, value) in headers.fields {
            buffer.writeString(name)
            buffer.writeStaticString(": ")
            buffer.writeString(value)
            buffer.writeStaticString("\r\n")
        }
        if isLast { buffer.writeStaticString("connection: close\r\n") }
        if mayHaveBody { buffer.writeString("content-length: \(body.readableBytes)\r\n") }
        buffer.writeStaticString("date: ")
        buffer.writeString(HTTPDate.now)
        buffer.writeStaticString("\r\n\r\n")
    }
}
