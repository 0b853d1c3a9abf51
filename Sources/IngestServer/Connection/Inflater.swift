/// Inflates gzip as a stream, up to a limit, because a small body can inflate to more than there is memory for.
///
/// Consecutive members are concatenated (RFC 1952, section 2.2), and the limit applies to their total. It can stop half way and
/// continue later on another thread.
final class Inflater {
    enum Failure: Error, Hashable {
        /// Not gzip, cut short, damaged, or followed by something else.
        case broken
        case tooLarge(limit: Int)
    }

    /// The output so far.
    private(set) var output: [UInt8] = []
    private let input: [UInt8]
    private let limit: Int
    private var position = 0
    private var isEnded = false
    /// How much was inflated, including output that was discarded.
    private(set) var inflatedBytes = 0
    private let stream: InflateStream

    init(_ compressed: [UInt8], limit: Int) throws(Failure) {
        guard let stream = InflateStream(size: 32 << 10) else { throw .broken }
        self.input = compressed
        self.limit = limit
        self.stream = stream
        output.reserveCapacity(min(limit, compressed.count * 4))
    }

    /// Continues until there are more than `count` bytes of output, or no more input.
    ///
    /// - Returns: whether the input has ended.
    func run(upTo count: Int) throws(Failure) -> Bool {
        while !isEnded, output.count <= count { try step() }
        return isEnded
    }

    /// Returns the output, and removes it from this object.
    func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Inflates one piece.
    private func step() throws(Failure) {
        let (progress, count) = stream.step(input, &position)
        inflatedBytes += count
        guard progress == .more || progress == .memberEnd else { throw .broken }
        guard output.count + count <= limit else { throw .tooLarge(limit: limit) }
        output.append(contentsOf: stream.piece[..<count])
        if progress == .memberEnd {
            if position == input.count {
                isEnded = true
            } else if !stream.reset() {
                throw .broken
            }
        } else if position == input.count, count == 0 {
            // No progress and no end: the input stops in the middle.
            throw .broken
        }
    }
}
