internal import Logging
internal import Synchronization

/// Logs faults that recur with every request, each kind as a ``LogSpell``, so that an outage doesn't fill the disk with log
/// lines.
final class FaultLog: Sendable {
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private let spells = Mutex<[String: LogSpell]>([:])

    init(logger: Logger, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.logger = logger
        self.now = now
    }

    /// - Parameters:
    ///   - kind: groups faults into spells; one of a closed set of words.
    ///   - metadata: logged with the first fault of a spell; later ones are logged at `debug`.
    func failed(_ kind: String, _ message: Logger.Message, _ metadata: @autoclosure () -> Logger.Metadata) {
        if begins(kind) {
            logger.error(message, metadata: metadata())
        } else if logger.logLevel <= .debug {
            logger.debug(message, metadata: metadata())
        }
    }

    /// Like ``failed(_:_:_:)``, but for metadata that takes time to find. Finds it only for the first fault of a spell, and
    /// just counts the others.
    func failed(_ kind: String, _ message: Logger.Message, findingOut metadata: () async -> Logger.Metadata) async {
        guard begins(kind) else { return }
        let metadata = await metadata()
        logger.error(message, metadata: metadata)
    }

    /// - Returns: whether this fault begins a spell.
    private func begins(_ kind: String) -> Bool {
        let lines = spells.withLock { $0[kind, default: LogSpell()].failed(at: now()) }
        tell(lines.filter { $0 != .begins }, of: kind)
        return lines.contains(.begins)
    }

    /// Logs the spells that have ended. Cheap if there are none.
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
                logger.error("a fault continues", metadata: ["fault": "\(kind)", "count": "\(count)"])
            case .ended(let count, let lasted):
                logger.notice(
                    "a fault has ended",
                    metadata: ["fault": "\(kind)", "count": "\(count)", "seconds": "\(lasted.components.seconds)"])
            }
        }
    }
}

/// A recurring fault, logged in few lines: one when it begins, one a minute while it continues, one when it has ended.
struct LogSpell: Sendable {
    enum Line: Hashable, Sendable {
        case begins
        /// How many times since the last line.
        case goesOn(Int)
        /// How many times in total, and the time from the first fault to the success after the last.
        case ended(Int, Duration)
    }

    typealias Instant = ContinuousClock.Instant

    static let interval: Duration = .seconds(60)
    /// The spell ends after this long without a fault. Not sooner, because some requests succeed even in an outage.
    static let quiet: Duration = .seconds(10)

    private var begun: Instant?
    private var latest: Instant?
    /// When something first succeeded after the latest fault.
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

    /// Called when something succeeds.
    ///
    /// - Returns: what to log, once enough time has passed.
    mutating func passed(at now: Instant) -> [Line] {
        guard let begun, let latest else { return [] }
        let recovered = recovered ?? now
        self.recovered = recovered
        guard latest + LogSpell.quiet <= now else { return [] }
        defer { self = LogSpell() }
        // A single fault has its line already.
        return count > 1 ? [.ended(count, recovered - begun)] : []
    }
}
