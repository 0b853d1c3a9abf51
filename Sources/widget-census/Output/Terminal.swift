internal import Foundation
internal import Logging
internal import Synchronization

/// The two streams, and how wide the screen is.
enum Terminal {
    /// Whether what reads standard error takes it for a log of JSON objects: then all that is said there is one.
    private static let speaksJSON = Mutex(false)

    static func use(_ format: LogFormat) { speaksJSON.withLock { $0 = format == .json } }

    /// Takes the format from where it can be seen before anything is understood: a complaint of the settings themselves
    /// must be readable, too.
    static func useFormat(in arguments: [String], _ environment: [String: String]) {
        var name = environment["CENSUS_LOG_FORMAT"]
        for (position, argument) in arguments.enumerated() {
            if argument == "--log-format", position + 1 < arguments.count { name = arguments[position + 1] }
            if argument.hasPrefix("--log-format=") { name = String(argument.dropFirst("--log-format=".count)) }
        }
        if let format = name.flatMap(LogFormat.init(rawValue:)) { use(format) }
    }

    /// Writes a line for the person: standard error, so that answers can be piped.
    static func say(_ line: String, _ level: Logger.Level = .notice) {
        guard speaksJSON.withLock({ $0 }) else {
            return FileHandle.standardError.write(Data((line + "\n").utf8))
        }
        JSONLogHandler.write(line, level)
    }

    /// Whether a person looks at standard error.
    static var isScreen: Bool { isatty(STDERR_FILENO) == 1 }

    /// Shows how far long work has come; on a screen the line replaces the one before.
    static func progress(_ line: String) {
        guard isScreen, !speaksJSON.withLock({ $0 }) else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
    }

    static func endProgress() {
        guard isScreen, !speaksJSON.withLock({ $0 }) else { return }
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
