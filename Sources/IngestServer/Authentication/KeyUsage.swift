internal import CensusCore
internal import CensusStore
internal import Logging
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// What each key has used in this minute and the last, so that operators can see which key makes others wait.
///
/// Keys are named by the first digits of their hash, as in `keys list`, never by their text.
final class KeyUsage: Service {
    struct Amount: Hashable {
        /// Inflated bytes of bodies.
        var bytes = 0
        /// Processor time for decoding bodies.
        var processor: Duration = .zero
        /// Time of queries that take turns.
        var store: Duration = .zero
        /// Requests that got 429, or 503 for lack of room or of a turn.
        var refused = 0

        static func + (left: Amount, right: Amount) -> Amount {
            Amount(
                bytes: left.bytes + right.bytes, processor: left.processor + right.processor,
                store: left.store + right.store, refused: left.refused + right.refused)
        }

        /// Orders by time first, because time makes other keys wait.
        static func < (left: Amount, right: Amount) -> Bool {
            (left.processor + left.store, left.bytes, left.refused)
                < (right.processor + right.store, right.bytes, right.refused)
        }
    }

    private struct Minutes {
        var this: [KeyHash: Amount] = [:]
        var last: [KeyHash: Amount] = [:]
    }

    private static let interval: Duration = .seconds(60)
    /// How many keys are counted in a minute; any more are ignored. Only valid keys get here.
    private static let most = 4_096
    /// How many keys are reported. Each is a time series of a metric.
    static let told = 3

    private let minutes = Mutex(Minutes())
    private let logger: Logger

    init(logger: Logger) { self.logger = logger }

    func add(_ key: KeyHash, bytes: Int = 0, processor: Duration = .zero, store: Duration = .zero, refused: Int = 0) {
        let more = Amount(bytes: bytes, processor: processor, store: store, refused: refused)
        minutes.withLock { minutes in
            guard minutes.this.count < KeyUsage.most || minutes.this[key] != nil else { return }
            minutes.this[key] = (minutes.this[key] ?? Amount()) + more
        }
    }

    /// The keys that have used the most in this minute and the last, in descending order.
    var greediest: [(name: String, amount: Amount)] {
        let (this, last) = minutes.withLock { ($0.this, $0.last) }
        return KeyUsage.greediest(of: this.merging(last) { $0 + $1 })
    }

    /// Ends a minute, and logs the key that used the most if requests were turned away.
    func endMinute() {
        let ended = minutes.withLock { minutes in
            (minutes.last, minutes.this) = (minutes.this, [:])
            return minutes.last
        }
        let refused = ended.values.reduce(0) { $0 + $1.refused }
        guard refused > 0, let (name, amount) = KeyUsage.greediest(of: ended).first else { return }
        logger.warning(
            "requests were turned away; this key used the most",
            metadata: [
                "key": "\(name)", "bytes": "\(amount.bytes)",
                "processor_milliseconds": "\(Int(amount.processor / .milliseconds(1)))",
                "store_milliseconds": "\(Int(amount.store / .milliseconds(1)))", "refused": "\(amount.refused)",
                "refused_of_all": "\(refused)",
            ])
    }

    func run() async throws {
        await ServiceLoop(every: KeyUsage.interval, restsFirst: true).run { [self] in endMinute() }
    }

    private static func greediest(of amounts: [KeyHash: Amount]) -> [(name: String, amount: Amount)] {
        amounts.sorted { $1.value < $0.value }.prefix(told).map { ($0.key.bytes.prefix(6).hexadecimal, $0.value) }
    }
}

/// The key of a request, for code that sees only the response.
final class Caller: Sendable {
    private let hash = Mutex<KeyHash?>(nil)

    /// Nil until the key was found valid.
    var key: KeyHash? { hash.withLock { $0 } }

    func note(_ key: KeyHash) { hash.withLock { $0 = key } }
}
