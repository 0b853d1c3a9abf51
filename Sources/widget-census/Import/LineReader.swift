internal import Foundation

/// Reads a file line by line, in bounded memory as long as its lines are.
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

    /// - Parameter file: its name, for errors.
    init(_ handle: FileHandle, named file: String) {
        self.file = file
        self.handle = handle
    }

    /// The next line without its end, and without the byte order mark that editors of Windows put before it; nil after the last.
    ///
    /// - Throws: ``UsageError`` when the file can't be read, as a folder can't.
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
        // Also within: files are put behind one another.
        return Line(number: number, bytes: Array(bytes.withoutByteOrderMark))
    }
}

extension UsageError {
    /// - Parameter error: as Foundation throws it, with the system's number below its own.
    init(unreadable file: String, _ error: any Error) {
        let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
        let reason = system.domain == NSPOSIXErrorDomain ? ": " + String(cString: strerror(Int32(system.code))) : ""
        self.init("\(file) cannot be read\(reason)")
    }
}
