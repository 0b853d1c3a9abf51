internal import CensusCore
internal import Foundation

/// Reads a file line by line, and unpacks gzip. Memory is bounded if the lines' length is.
final class LineReader {
    struct Line {
        /// Counted from 1.
        var number: Int
        var bytes: [UInt8]
    }

    /// Of a line; a whole export can stand on one.
    private static let longest = 64 << 20

    private let file: String
    private let handle: FileHandle
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var number = 0
    /// Nil if the file is not compressed.
    private var gzip: GzipStream?
    /// Of the file, which can be compressed.
    private(set) var bytesRead = 0

    /// - Parameter file: the file's name, for errors.
    init(_ handle: FileHandle, named file: String) {
        self.file = file
        self.handle = handle
    }

    /// The next line, without its line end and the byte order mark of Windows editors; nil at the end of the file.
    ///
    /// - Throws: ``UsageError`` if the file can't be read, for example because it is a folder, or is not text.
    func next() throws -> Line? {
        var searched = position
        while true {
            if let end = lineEnd(from: searched) {
                defer { position = end + 1 }
                return line(buffer[position..<end])
            }
            if isAtEnd {
                guard position < buffer.count else { return nil }
                defer { position = buffer.count }
                return line(buffer[position...])
            }
            buffer.removeFirst(position)
            position = 0
            searched = buffer.count
            guard searched <= LineReader.longest else {
                throw UsageError(
                    "\(file):\(number + 1): the line is longer than \(LineReader.longest >> 20) MiB; put each record on a line of its own"
                )
            }
            try fill()
        }
    }

    private func lineEnd(from start: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress,
                let found = memchr(base + start, 0x0A, bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    private func fill() throws {
        let piece = try read(atMost: 256 << 10)
        if bytesRead == 0 { try open(piece) }
        isAtEnd = piece.isEmpty
        bytesRead += piece.count
        guard let gzip else {
            buffer.append(contentsOf: piece)
            return
        }
        do throws(GzipStream.Damaged) {
            try gzip.inflate(piece, into: &buffer)
        } catch {
            throw UsageError("\(file) is damaged: it is not gzip throughout")
        }
        if isAtEnd, !gzip.isAtEnd { throw UsageError("\(file) is cut short: its gzip data has no end") }
    }

    /// Recognizes what the file is by its first bytes.
    private func open(_ piece: Data) throws {
        let start = [UInt8](piece.prefix(4))
        switch start {
        case let start where start.isUTF16:
            throw UsageError("\(file) is UTF-16: iconv -f UTF-16 -t UTF-8 FILE | widget-census import -")
        case let start where start.isGzip: gzip = try GzipStream()
        case Array("PK\u{3}\u{4}".utf8):
            throw UsageError("\(file) is a ZIP archive: unzip -p FILE | widget-census import -")
        case Array("PAR1".utf8):
            throw UsageError("\(file) is Parquet, which isn't read: export it as JSON lines or CSV")
        case [0x28, 0xB5, 0x2F, 0xFD]:
            throw UsageError("\(file) is compressed with zstd: zstd -dc FILE | widget-census import -")
        default: break
        }
    }

    private func read(atMost count: Int) throws -> Data {
        do {
            return try handle.read(upToCount: count) ?? Data()
        } catch {
            throw UsageError(unreadable: file, error)
        }
    }

    private func line(_ bytes: ArraySlice<UInt8>) -> Line {
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
