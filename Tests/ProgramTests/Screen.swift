import Foundation

/// A terminal with this many columns, on which the program prints.
struct Screen {
    var columns: Int
    var program: Program

    struct NoTerminal: Error {}

    /// - Returns: the program's status, and what a person would see of its standard output.
    func run(_ arguments: String...) async throws -> (status: Int32, text: String) { try await run(arguments) }

    func run(_ arguments: [String]) async throws -> (status: Int32, text: String) {
        // Does what posix_openpt, unlockpt and ptsname do, which Swift can't see (tty_ioctl(4) of Linux).
        let primary = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (isLocked, number) = (Int32(0), Int32(0))
        guard primary >= 0, ioctl(primary, 0x4004_5431, &isLocked) == 0, ioctl(primary, 0x8004_5430, &number) == 0
        else {
            throw NoTerminal()
        }
        let path = "/dev/pts/\(number)"
        var size = winsize(ws_row: 40, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        // Stays open until everything is read, because the end of the program would discard the rest.
        let secondary = open(path, O_RDWR | O_NOCTTY)
        guard secondary >= 0, ioctl(secondary, UInt(TIOCSWINSZ), &size) == 0 else { throw NoTerminal() }
        let reader = Reader(primary)
        reader.begin()
        var program = program
        program.outputPath = path
        let outcome = try await program.start(arguments).finished()
        let text = await reader.text(after: secondary)
        close(primary)
        return (outcome.status, text.withoutReturns)
    }

    private final class Reader: @unchecked Sendable {
        private static let end = "\u{4}the end"
        private let descriptor: Int32
        private let lock = NSLock()
        private var bytes: [UInt8] = []

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        func begin() {
            Thread.detachNewThread { [self] in
                var piece = [UInt8](repeating: 0, count: 4_096)
                while case let count = read(descriptor, &piece, piece.count), count > 0 {
                    lock.withLock { bytes += piece[..<count] }
                }
            }
        }

        /// Writes a mark after the program's output, and waits until the mark arrives.
        func text(after secondary: Int32) async -> String {
            let mark = Array(Reader.end.utf8)
            _ = write(secondary, mark, mark.count)
            for _ in 0..<200 {
                let text = lock.withLock { String(decoding: bytes, as: UTF8.self) }
                if let end = text.range(of: Reader.end) {
                    close(secondary)
                    return String(text[..<end.lowerBound])
                }
                try? await Task.sleep(for: .milliseconds(20))
            }
            close(secondary)
            return lock.withLock { String(decoding: bytes, as: UTF8.self) }
        }
    }
}

extension String {
    /// A terminal adds a carriage return before each line end, even if CSV has one already.
    var withoutReturns: String {
        var scalars = unicodeScalars
        scalars.removeAll { $0 == "\r" }
        return String(scalars)
    }
}
