internal import Logging
internal import Synchronization

/// Logs faults that recur with every request, each kind as a ``LogSpell``: in an outage the log must not fill the disk.
final class FaultLog: Sendable {
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let spells = Mutex<[String: LogSpell]>([:])

    init(logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.logger = logger
        self.now = now
    }

    /// - Parameters:
    ///   - kind: faults of one kind count as the same; a closed set of words.
    ///   - metadata: logged with the first of a spell; the others are lines at `debug`.
    func failed(_ kind: String, _ message: Logger.Message, _ metadata: @autoclosure () -> Logger.Metadata) {
        if begins(kind) {
            logger.error(message, metadata: metadata())
        } else if logger.logLevel <= .debug {
            logger.debug(message, metadata: metadata())
        }
    }

    /// Like ``failed(_:_:_:)``, where finding out why takes time: that is done for the first of a spell alone, and the others are only
    /// counted.
    func failed(_ kind: String, _ message: Logger.Message, findingOut metadata: () async -> Logger.Metadata) async {
        guard begins(kind) else { return }
        let metadata = await metadata()
        logger.error(message, metadata: metadata)
    }

    /// - Returns: whether this fault is the first of a spell.
    private func begins(_ kind: String) -> Bool {
        let lines = spells.withLock { $0[kind, default: LogSpell()].failed(at: now()) }
        tell(lines.filter { $0 != .begins }, of: kind)
        return lines.contains(.begins)
    }

    /// Logs the spells that have ended; cheap where none has begun.
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

/// A fault that recurs, logged in few lines: one when it begins, one a minute while it goes on, one when it has ended.
struct LogSpell: Sendable {
    enum Line: Hashable, Sendable {
        case begins
        /// How often since the last line.
        case goesOn(Int)
        /// How often in total, and how long from the first to the success after the last.
        case ended(Int, Duration)
    }

    typealias Instant = ContinuousClock.Instant

    static let interval: Duration = .seconds(60)
    /// After this long without a fault it has ended. Not sooner: in an outage some requests succeed.
    static let quiet: Duration = .seconds(10)

    private var begun: Instant?
    private var latest: Instant?
    /// When something first succeeded after the latest.
    private var recovered: Instant?
    private var told: Instant?
    private var count = 0
    private var untold = 0

    /// - Returns: what to log.
    mutating func failed(at now: Instant) -> [Line] {
        let ending = recovered == nil ? [] : passed(at: now)
        count += 1
        (latest, recovered) = (now, nil)
        guard begun != nil, let told else {
            (begun, told) = (now, now)
            return ending + [.begins]
        }
        untold += 1
        guard told + LogSpell.interval <= now else { return ending }
        defer { (self.told, untold) = (now, 0) }
        return ending + [.goesOn(untold)]
    }

    /// Called when something succeeds: enough time may have passed.
    mutating func passed(at now: Instant) -> [Line] {
        guard let begun, let latest else { return [] }
        let recovered = recovered ?? now
        self.recovered = recovered
        guard latest + LogSpell.quiet <= now else { return [] }
        defer { self = LogSpell() }
        // A single fault was logged already.
        return count > 1 ? [.ended(count, recovered - begun)] : []
    }
}
