internal import CZlib

/// zlib's state while it inflates gzip, a piece at a time.
package final class InflateStream {
    package enum Progress {
        case more
        /// A member (RFC 1952, section 2.2) is complete.
        case memberEnd
        /// It needs more input.
        case starved
        case damaged
    }

    /// The output of the last step, in its first bytes.
    package private(set) var piece: [UInt8]
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter size: the most bytes that a step puts out.
    /// - Returns: nil if there is no memory.
    package init?(size: Int) {
        piece = [UInt8](repeating: 0, count: size)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // A window of 15 bits, plus 16 for gzip only (zlib.h, inflateInit2).
        guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Inflates from `position` on, and moves it.
    ///
    /// - Returns: also how many bytes of ``piece`` are output.
    package func step(_ input: [UInt8], _ position: inout Int) -> (progress: Progress, count: Int) {
        let (status, count) = input.withUnsafeBufferPointer { source in
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
        let progress: Progress =
            switch status {
            case Z_OK: .more
            case Z_STREAM_END: .memberEnd
            case Z_BUF_ERROR: .starved
            default: .damaged
            }
        return (progress, count)
    }

    /// Begins another member.
    ///
    /// - Returns: whether it can.
    package func reset() -> Bool { inflateReset(stream) == Z_OK }
}
