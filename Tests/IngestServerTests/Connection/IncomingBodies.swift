import NIOCore
import Testing

@testable import IngestServer

@Suite struct `Incoming bodies` {
    /// A reader once took the data just as it began to wait. The connection wasn't notified, and read no more.
    @Test(.timeLimit(.minutes(1))) func `a connection is notified whenever its body has room`() async throws {
        let (rooms, room) = AsyncStream.makeStream(of: Void.self)
        let body = IncomingBody { room.yield() }
        let (piece, count) = (ByteBuffer(repeating: 0, count: IncomingBody.readAhead), 30_000)
        let connection = Task {
            var iterator = rooms.makeAsyncIterator()
            for _ in 0..<count {
                body.add(piece)
                while body.isFull { _ = await iterator.next() }
            }
            body.end()
        }
        var bytes = 0
        while let taken = try await body.next() { bytes += taken.readableBytes }
        #expect(bytes == count * IncomingBody.readAhead)
        await connection.value
    }
}
