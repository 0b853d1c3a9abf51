internal import CensusCore
internal import Foundation
internal import Logging
internal import Pages
internal import Synchronization

/// Prints lines for people, without control characters that clients sent or somebody typed.
///
/// It replaces Swift's `print`. ``Terminal/write(_:)`` prints output for programs.
func print(_ text: String, terminator: String = "\n") { Terminal.write(text.printableLines + terminator) }

/// Standard output and standard error, and the screen's width.
enum Terminal {
    /// Whether standard error is a log of JSON objects, so that every message on it must be one.
    private static let speaksJSON = Mutex(false)

    static func use(_ format: LogFormat) { speaksJSON.withLock { $0 = format == .json } }

    /// Finds the format before anything else is parsed, because errors in the settings themselves must use it, too.
    static func useFormat(in arguments: [String], _ environment: [String: String]) {
        var name = environment["CENSUS_LOG_FORMAT"]
        for (position, argument) in arguments.enumerated() {
            if argument == "--log-format", position + 1 < arguments.count { name = arguments[position + 1] }
            if argument.hasPrefix("--log-format=") { name = String(argument.dropFirst("--log-format=".count)) }
        }
        if let format = name.flatMap(LogFormat.init(rawValue:)) { use(format) }
    }

    /// Writes a line for people to standard error, so that output can be piped.
    static func say(_ line: String, _ level: Logger.Level = .notice) {
        LogStream.shared.write(
            speaksJSON.withLock { $0 } ? JSONLogHandler.line(line, level) : line.printableLines + "\n")
    }

    /// A line in the log's format.
    static func logLine(_ message: String, _ level: Logger.Level, _ metadata: Logger.Metadata) -> String {
        guard !speaksJSON.withLock({ $0 }) else { return JSONLogHandler.line(message, level, metadata) }
        let pairs = metadata.sorted { $0.key < $1.key }.map { " \($0)=\($1)" }.joined()
        return "\(Timestamp.now) \(level) widget-census:\(pairs) \(message.printableLines)\n"
    }

    /// Prints a text unchanged.
    static func write(_ text: String) { AnswerStream.shared.write(text.utf8) }

    /// Flushes the output, which is buffered unless standard output is a screen.
    ///
    /// - Throws: ``LostAnswer`` if it could not be written, ``Interrupted`` if a signal arrived while no reader took it. A
    ///   reader that closed early, such as `head`, is not an error.
    static func endAnswer() throws {
        switch AnswerStream.shared.flush() {
        case nil, .system(EPIPE): break
        case .interrupted: throw Interruption.shared.error ?? LostAnswer(code: EINTR)
        case .system(let code): throw LostAnswer(code: code)
        }
    }

    /// Whether the reader of standard output has closed it.
    static var readerHasLeft: Bool { AnswerStream.shared.failure == .system(EPIPE) }

    /// Whether standard error is a screen.
    static var isScreen: Bool { isatty(STDERR_FILENO) == 1 }

    /// Shows the progress of long work, only on a screen. The line replaces the previous one.
    static func progress(_ line: String) {
        guard isScreen, !speaksJSON.withLock({ $0 }) else { return }
        LogStream.shared.write("\r\u{1B}[K\(line)")
    }

    static func endProgress() {
        guard isScreen, !speaksJSON.withLock({ $0 }) else { return }
        LogStream.shared.write("\r\u{1B}[K")
    }

    /// Whether standard output shows colours, and they are not switched off (no-color.org).
    static var hasColours: Bool {
        let environment = ProcessInfo.processInfo.environment
        guard width != nil, let terminal = environment["TERM"], terminal != "dumb" else { return false }
        return environment["NO_COLOR"]?.isEmpty ?? true
    }

    /// The screen that pages are printed on.
    static var screen: Screen { Screen(width: width, colours: hasColours) }

    /// In columns; nil if standard output is not a screen.
    static var width: Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}

/// Standard output could not be written.
struct LostAnswer: ExplainedError {
    var code: Int32

    var description: String {
        let reason = code == 0 ? "" : ": \(String(cString: strerror(code)))"
        return "the output is lost: standard output could not be written\(reason). The command's changes remain. If "
            + "the secret of a new key or webhook is lost, remove that and add another"
    }
}
