internal import Foundation
internal import Logging

/// Lines on their way to standard error, and how many were dropped because it took none.
///
/// Once a line is dropped all that follow are, until the backlog is written: the count then stands where the lines are missing.
struct LogBacklog {
    private let limit: Int
    private var bytes: [UInt8] = []
    private(set) var dropped = 0

    /// - Parameter limit: bytes that wait at most.
    init(limit: Int = 1 << 20) { self.limit = limit }

    var isEmpty: Bool { bytes.isEmpty && dropped == 0 }

    mutating func add(_ line: [UInt8]) {
        guard dropped == 0, bytes.count + line.count <= limit else { return dropped += 1 }
        bytes += line
    }

    /// All that waits; after it, once, the line that counts what was dropped. Nil when nothing waits.
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

/// Standard error, written by a thread of its own: a log that nobody reads, or whose disk is full, stops nothing.
final class LogStream: TextOutputStream, @unchecked Sendable {
    /// The process has one.
    static let shared = LogStream(STDERR_FILENO)

    /// How long the end of the process waits for a reader that takes nothing.
    private static let patience = 1.0

    private let descriptor: Int32
    /// AdmissionControls everything below, and is signalled whenever it changes.
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

    /// Takes whole lines, and returns at once.
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

    /// Waits until all is written, or standard error takes nothing: the end of a process must not wait for a reader.
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

    /// Writes all of it, however long that takes.
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
                // Somebody who shares the pipe made it non-blocking.
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wanted, 1, 1_000)
            } else if code != EINTR {
                // A full disk, or a reader that left: there may be room, or another reader, later.
                usleep(500_000)
            }
        }
    }

    private static func notice(_ dropped: Int) -> [UInt8] {
        let message = "lines of the log are missing here: standard error took none"
        return Array(Terminal.logLine(message, .warning, ["lines": "\(dropped)"]).utf8)
    }
}
