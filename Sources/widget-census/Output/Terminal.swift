internal import Foundation

/// The two streams, and how wide the screen is.
enum Terminal {
    /// Writes a line for the person: standard error, so that answers can be piped.
    static func say(_ line: String) {
        FileHandle.standardError.write(Data((line + "\n").utf8))
    }

    /// Whether a person looks at standard error.
    static var isScreen: Bool { isatty(STDERR_FILENO) == 1 }

    /// Shows how far long work has come; on a screen the line replaces the one before.
    static func progress(_ line: String) {
        guard isScreen else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
    }

    static func endProgress() {
        guard isScreen else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }

    /// Columns; nil when standard output is no screen.
    static var width: Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
