internal import Foundation

/// Reads a file line by line, in bounded memory as long as its lines are.
final class LineReader {
    struct Line {
        /// Counted from 1.
        var number: Int
        var bytes: [UInt8]
    }

    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var number = 0
    private(set) var bytesRead = 0

    init(_ handle: FileHandle) {
        self.handle = handle
    }

    /// The next line without its end; nil after the last.
    func next() throws -> Line? {
        while true {
            if let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return line(Array(buffer[position..<end]))
            }
            if isAtEnd {
                guard position < buffer.count else { return nil }
                defer { position = buffer.count }
                return line(Array(buffer[position...]))
            }
            buffer.removeFirst(position)
            position = 0
            let piece = try handle.read(upToCount: 1 << 20) ?? Data()
            isAtEnd = piece.isEmpty
            bytesRead += piece.count
            buffer.append(contentsOf: piece)
        }
    }

    private func line(_ bytes: [UInt8]) -> Line {
        number += 1
        return Line(number: number, bytes: bytes)
    }
}
