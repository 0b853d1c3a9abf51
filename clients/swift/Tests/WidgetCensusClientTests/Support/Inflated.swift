import CZlib
import Foundation

/// Reads gzip, as the server does.
enum Inflated {
    static func data(_ compressed: Data) -> Data? {
        var stream = z_stream()
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var input = [UInt8](compressed)
        var output = [UInt8](repeating: 0, count: 8 << 20)
        let status = input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                return inflate(&stream, Z_FINISH)
            }
        }
        return status == Z_STREAM_END ? Data(output[..<Int(stream.total_out)]) : nil
    }
}
