package import HTTPTypes
package import NIOCore

/// An answer, whole.
package struct Response: Sendable {
    package var status: HTTPResponse.Status
    package var headers: HTTPFields
    package var body: ByteBuffer
    /// What it reserves until the client has taken it; nil for a small one, and for one that all answers share.
    var memory: Admission.Answer?

    package init(status: HTTPResponse.Status, headers: HTTPFields = [:], body: ByteBuffer = ByteBuffer()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Larger ones are written in pieces of this size, each when the client has room for it.
    static let piece = 8 << 10

    var isLarge: Bool { body.readableBytes > Response.piece }
}
