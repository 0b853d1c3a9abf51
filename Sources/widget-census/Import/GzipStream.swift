internal import CZlib
internal import Foundation

/// Inflates a gzip file as it is read. Members that follow one another are one file (RFC 1952, section 2.2).
final class GzipStream {
    struct Damaged: Error {}

    /// zlib's state.
    private let stream: UnsafeMutablePointer<z_stream>
    private var output = [UInt8](repeating: 0, count: 256 << 10)
    /// Whether the last member is complete.
    private(set) var isAtEnd = false

    init() throws(Damaged) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // A window of 15 bits, plus 16 for gzip only (zlib.h, inflateInit2).
        guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw Damaged()
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    func inflate(_ compressed: Data, into target: inout [UInt8]) throws(Damaged) {
        let input = [UInt8](compressed)
        var position = 0
        var isFull = false
        while position < input.count || isFull {
            if isAtEnd {
                guard inflateReset(stream) == Z_OK else { throw Damaged() }
                isAtEnd = false
            }
            let (status, count) = step(input, &position)
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { throw Damaged() }
            target.append(contentsOf: output[..<count])
            isAtEnd = status == Z_STREAM_END
            isFull = count == output.count && !isAtEnd
        }
    }

    private func step(_ input: [UInt8], _ position: inout Int) -> (status: Int32, count: Int) {
        input.withUnsafeBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
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
