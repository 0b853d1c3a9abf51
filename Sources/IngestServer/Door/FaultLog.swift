internal import Logging
internal import Synchronization

/// Tells faults that come with every request, each kind as a ``LogSpell``: in an outage a log must not fill the disk.
final class FaultLog: Sendable {
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let spells = Mutex<[String: LogSpell]>([:])

    init(logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.logger = logger
        self.now = now
    }

    /// - Parameters:
    ///   - kind: what counts as the same; of a closed set.
    ///   - metadata: of this one, told where it is the first; the others are lines at `debug`.
    func failed(_ kind: String, _ message: Logger.Message, _ metadata: @autoclosure () -> Logger.Metadata) {
        let lines = spells.withLock { $0[kind, default: LogSpell()].failed(at: now()) }
        tell(lines.filter { $0 != .begins }, of: kind)
        if lines.contains(.begins) {
            logger.error(message, metadata: metadata())
        } else if logger.logLevel <= .debug {
            logger.debug(message, metadata: metadata())
        }
    }

    /// Tells what has ended; cheap where nothing has begun.
    func passed() {
        let ended = spells.withLock { spells in
            guard !spells.isEmpty else { return [(String, [LogSpell.Line])]() }
            let now = now()
            let ended = spells.keys.sorted().map { ($0, spells[$0, default: LogSpell()].passed(at: now)) }
            return ended.filter { !$0.1.isEmpty }
        }
        for (kind, lines) in ended { tell(lines, of: kind) }
    }

    private func tell(_ lines: [LogSpell.Line], of kind: String) {
        for line in lines {
            switch line {
            case .begins: break
            case .goesOn(let count):
                logger.error("a fault goes on", metadata: ["fault": "\(kind)", "count": "\(count)"])
            case .ended(let count, let lasted):
                logger.notice(
                    "a fault has ended",
                    metadata: ["fault": "\(kind)", "count": "\(count)", "seconds": "\(lasted.components.seconds)"])
            }
        }
    }
}
