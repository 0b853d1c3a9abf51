package import HTTPTypes
package import NIOCore

/// A complete response.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    package var headers: Headers
    package var body: ByteBuffer
    /// The memory reserved until the client has read it; nil for a small body, and for one that all responses share.
    var memory: Admission.Answer?

    package init(status: HTTPResponse.Status, headers: Headers = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Larger bodies are written in pieces of this size, each when the client has room for it.
    static let piece = 8 << 10

    var isLarge: Bool { body.readableBytes > Response.piece }

    /// Whether its status allows a body (RFC 9110, section 6.4.1).
    var mayHaveBody: Bool { status.kind != .informational && status.code != 204 && status.code != 304 }

    /// Writes the status line and headers, including the empty line.
    ///
    /// - Parameter isLast: whether the connection ends with this response.
    func writeHead(to buffer: inout ByteBuffer, isLast: Bool) {
        // In parts: a string of them all would be allocated for each response.
        buffer.writeStaticString("HTTP/1.1 ")
        buffer.writeString("\(status.code) ")
        buffer.writeString(status.reasonPhrase)
        buffer.writeStaticString("\r\n")
        for (name, value) in headers.fields {
            buffer.writeString(name)
            buffer.writeStaticString(": ")
            buffer.writeString(value)
            buffer.writeStaticString("\r\n")
        }
        if isLast { buffer.writeStaticString("connection: close\r\n") }
        if mayHaveBody {
            buffer.writeStaticString("content-length: ")
            buffer.writeString("\(body.readableBytes)\r\n")
        }
        buffer.writeStaticString("date: ")
        buffer.writeString(HTTPDate.now)
        buffer.writeStaticString("\r\n\r\n")
    }
}
