internal import CZlib

/// Inflates gzip in a stream, and stops at a cap: what a small body can claim to hold, nobody has to find room for.
///
/// Members that follow each other count as one text (RFC 1952, section 2.2), and the cap is for all of them.
enum Inflater {
    enum Failure: Error, Hashable {
        /// Not gzip, cut short, damaged, or followed by something else.
        case broken
        case tooLarge(limit: Int)
    }

    static func inflate(_ compressed: [UInt8], limit: Int) throws(Failure) -> [UInt8] {
        var stream = z_stream()
        // 15 bits of window, plus 16: gzip and nothing else (zlib.h, inflateInit2).
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw .broken
        }
        defer { inflateEnd(&stream) }

        var input = compressed
        var output: [UInt8] = []
        output.reserveCapacity(min(limit, compressed.count * 4))
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let outcome: Result<Void, Failure> = input.withUnsafeMutableBufferPointer { source in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(source.count)
            while true {
                let (status, count) = piece.withUnsafeMutableBufferPointer { target in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(target.count)
                    let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return (status, target.count - Int(stream.avail_out))
                }
                guard status == Z_OK || status == Z_STREAM_END else { return .failure(.broken) }
                guard output.count + count <= limit else { return .failure(.tooLarge(limit: limit)) }
                output.append(contentsOf: piece[..<count])
                if status == Z_STREAM_END {
                    if stream.avail_in == 0 { return .success(()) }
                    guard inflateReset(&stream) == Z_OK else { return .failure(.broken) }
                    continue
                }
                // No progress and no end: the input stops in the middle.
                if stream.avail_in == 0, count == 0 { return .failure(.broken) }
            }
        }
        try outcome.get()
        return output
    }
}
