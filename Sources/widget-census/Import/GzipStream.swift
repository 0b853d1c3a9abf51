internal import Foundation
internal import IngestServer

/// Inflates a gzip file as it is read. Members that follow one another are one file (RFC 1952, section 2.2).
final class GzipStream {
    struct Damaged: Error {}

    private let stream: InflateStream
    /// Whether the last member is complete.
    private(set) var isAtEnd = false

    init() throws(Damaged) {
        guard let stream = InflateStream(size: 256 << 10) else { throw Damaged() }
        self.stream = stream
    }

    func inflate(_ compressed: Data, into target: inout [UInt8]) throws(Damaged) {
        let input = [UInt8](compressed)
        var position = 0
        var isFull = false
        while position < input.count || isFull {
            if isAtEnd {
                guard stream.reset() else { throw Damaged() }
                isAtEnd = false
            }
            let (progress, count) = stream.step(input, &position)
            guard progress != .damaged else { throw Damaged() }
            target.append(contentsOf: stream.piece[..<count])
            isAtEnd = progress == .memberEnd
            isFull = count == stream.piece.count && !isAtEnd
        }
    }
}
