internal import Foundation
internal import Logging

/// Lines waiting for standard error, and how many were dropped because it was blocked.
///
/// Once it drops a line, it drops all that follow until the backlog is written. So the count appears where the lines are
/// missing.
struct LogBacklog {
    private let limit: Int
    private var bytes: [UInt8] = []
    private(set) var dropped = 0

    /// - Parameter limit: the most bytes that wait.
    init(limit: Int = 1 << 20) { self.limit = limit }

    var isEmpty: Bool { bytes.isEmpty && dropped == 0 }

    mutating func add(_ line: [UInt8]) {
        guard dropped == 0, bytes.count + line.count <= limit else { return dropped += 1 }
        bytes += line
    }

    /// Takes all waiting lines; after them, once, a line with the number of dropped ones. Nil if nothing waits.
    mutating func take(notice: (Int) -> [UInt8]) -> [UInt8]? {
        if !bytes.isEmpty {
            defer { bytes = [] }
            return bytes
        }
        guard dropped > 0 else { return nil }
        defer { dropped = 0 }
        return notice(dropped)
    }
}

/// Writes standard error on its own thread, so a log that nobody reads, or whose disk is full, doesn't block the program.
final class LogStream: TextOutputStream, @unchecked Sendable {
    /// The only one in the process.
    static let shared = LogStream(STDERR_FILENO)

    /// How long the process waits at its end for a blocked reader.
    private static let patience = 1.0

    private let descriptor: Int32
    /// Guards everything below, and is signalled when it changes.
    private let condition = NSCondition()
    private var backlog: LogBacklog
    private var isWriting = false
    private var isFailing = false
    private var written = 0
    private var hasThread = false

    init(_ descriptor: Int32, backlog: LogBacklog = LogBacklog()) {
        self.descriptor = descriptor
        self.backlog = backlog
    }

    /// Adds whole lines, and returns at once.
    func write(_ lines: String) {
        condition.withLock {
            backlog.add(Array(lines.utf8))
            if !hasThread {
                hasThread = true
                Thread.detachNewThread { self.writeForever() }
            }
            condition.broadcast()
        }
    }

    /// Waits until everything is written or standard error is blocked. A process must not wait for a reader to end.
    func flush() {
        condition.withLock {
            var (before, deadline) = (written, Date(timeIntervalSinceNow: LogStream.patience))
            while isWriting || !backlog.isEmpty, !isFailing {
                guard condition.wait(until: deadline) || written != before else { return }
                if written != before { (before, deadline) = (written, Date(timeIntervalSinceNow: LogStream.patience)) }
            }
        }
    }

    private func writeForever() {
        while true {
            let bytes: [UInt8] = condition.withLock {
                isWriting = false
                condition.broadcast()
                while true {
                    if let bytes = backlog.take(notice: LogStream.notice) {
                        isWriting = true
                        return bytes
                    }
                    condition.wait()
                }
            }
            write(bytes)
        }
    }

    /// Writes all bytes, however long that takes.
    private func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            let code = errno
            condition.withLock {
                isFailing = count < 0 && code != EINTR && code != EAGAIN
                if count > 0 { written += count }
                condition.broadcast()
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if code == EAGAIN {
                // Another process that shares the pipe made it non-blocking.
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wanted, 1, 1_000)
            } else if code != EINTR {
                // A full disk, or a reader that closed. There might be space or another reader later.
                usleep(500_000)
            }
        }
    }

    private static func notice(_ dropped: Int) -> [UInt8] {
        let message = "log lines are missing here, because standard error was blocked"
        return Array(Terminal.logLine(message, .warning, ["lines": "\(dropped)"]).utf8)
    }
}
