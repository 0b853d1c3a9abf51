internal import Hummingbird
internal import HummingbirdCore
internal import HTTPTypes
internal import NIOCore

extension Response {
    /// Writes a large body in pieces, as fast as the client takes them, and gives its memory back when it has.
    ///
    /// - Parameters:
    ///   - memory: what the body reserves, until its last piece was handed over; nil for one that all answers share.
    mutating func pace(on channel: any Channel, memory: Admission.Answer?) {
        guard let length = body.contentLength, length > AnswerFlow.piece else { return }
        body = ResponseBody(contentLength: length) { [body] writer in
            // Without this capture the memory would be given back before the body is written.
            defer { withExtendedLifetime(memory) {} }
            try await body.write(PieceWriter(writer: writer, channel: channel, copies: memory != nil))
        }
    }
}

/// Cuts what is written into pieces.
private struct PieceWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let channel: any Channel
    /// Whether a piece must not keep the whole body in memory while it waits for the client.
    let copies: Bool

    mutating func write(_ buffer: ByteBuffer) async throws {
        var rest = buffer
        while let piece = rest.readSlice(length: min(AnswerFlow.piece, rest.readableBytes)), piece.readableBytes > 0 {
            try await writer.write(copies ? ByteBuffer(bytes: piece.readableBytesView) : piece)
            // The writer learns that the channel is full only when its event loop has taken the piece.
            try await channel.eventLoop.submit {}.get()
        }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws { try await writer.finish(trailingHeaders) }
}
