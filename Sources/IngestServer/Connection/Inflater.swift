internal import CZlib

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
    /// zlib's state.
    private let stream: UnsafeMutablePointer<z_stream>
    private var piece = [UInt8](repeating: 0, count: 32 << 10)

    init(_ compressed: [UInt8], limit: Int) throws(Failure) {
        self.input = compressed
        self.limit = limit
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        output.reserveCapacity(min(limit, compressed.count * 4))
        // A window of 15 bits, plus 16 for gzip only (zlib.h, inflateInit2).
        guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .broken
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
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
        let (status, count) = advance()
        inflatedBytes += count
        guard status == Z_OK || status == Z_STREAM_END else { throw .broken }
        guard output.count + count <= limit else { throw .tooLarge(limit: limit) }
        output.append(contentsOf: piece[..<count])
        if status == Z_STREAM_END {
            if position == input.count {
                isEnded = true
            } else if inflateReset(stream) != Z_OK {
                throw .broken
            }
        } else if position == input.count, count == 0 {
            // No progress and no end: the input stops in the middle.
            throw .broken
        }
    }

    private func advance() -> (status: Int32, count: Int) {
        input.withUnsafeBufferPointer { source in
            piece.withUnsafeMutableBufferPointer { target in
                // zlib takes a mutable pointer, but does not write to it.
                stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress?.advanced(by: position))
                stream.pointee.avail_in = UInt32(source.count - position)
                stream.pointee.next_out = target.baseAddress
                stream.pointee.avail_out = UInt32(target.count)
                let status = CZlib.inflate(stream, Z_NO_FLUSH)
                position = source.count - Int(stream.pointee.avail_in)
                return (status, target.count - Int(stream.pointee.avail_out))
            }
        }
    }
}
