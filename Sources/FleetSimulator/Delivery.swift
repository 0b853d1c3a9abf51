package import CensusCore

/// One batch as a phone sends it, and when the server got it.
package struct Delivery: Sendable, Hashable {
    package var receivedAt: Timestamp
    /// A body of `POST /v1/events`: JSON on one line.
    package var body: [UInt8]

    package init(receivedAt: Timestamp, body: [UInt8]) {
        self.receivedAt = receivedAt
        self.body = body
    }

    /// One line of a file that `widget-census import` takes: the body with `received_at`, and a newline.
    package var ndjsonLine: [UInt8] {
        var line: [UInt8] = []
        appendLine(to: &line)
        return line
    }

    /// Appends ``ndjsonLine``.
    package func appendLine(to bytes: inout [UInt8]) {
        var member = JSONBytes(capacity: 48)
        member.raw(#"{"received_at":"#)
        member.time(receivedAt)
        member.raw(",")
        bytes += member.bytes
        // The body is an object that is not empty: the member goes first.
        bytes += body.dropFirst()
        bytes.append(UInt8(ascii: "\n"))
    }
}
