internal import Foundation

/// Reads a file line by line. Memory is bounded if the lines' length is.
final class LineReader {
    struct Line {
        /// Counted from 1.
        var number: Int
        var bytes: [UInt8]
    }

    private let file: String
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var number = 0
    private(set) var bytesRead = 0

    /// - Parameter file: the file's name, for errors.
    init(_ handle: FileHandle, named file: String) {
        self.file = file
        self.handle = handle
    }

    /// The next line, without its line end and the byte order mark of Windows editors; nil at the end of the file.
    ///
    /// - Throws: ``UsageError`` if the file can't be read, for example because it is a folder.
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
            let piece = try read(atMost: 1 << 20)
            isAtEnd = piece.isEmpty
            bytesRead += piece.count
            buffer.append(contentsOf: piece)
        }
    }

    private func read(atMost count: Int) throws -> Data {
        do {
            return try handle.read(upToCount: count) ?? Data()
        } catch {
            throw UsageError(unreadable: file, error)
        }
    }

    private func line(_ bytes: [UInt8]) -> Line {
        number += 1
        // On every line, because files get concatenated.
        return Line(number: number, bytes: Array(bytes.withoutByteOrderMark))
    }
}

extension UsageError {
    /// - Parameter error: thrown by Foundation, with the system's error number in its underlying error.
    init(unreadable file: String, _ error: any Error) {
        let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
        let reason = system.domain == NSPOSIXErrorDomain ? ": " + String(cString: strerror(Int32(system.code))) : ""
        self.init("\(file) cannot be read\(reason)")
    }
}
