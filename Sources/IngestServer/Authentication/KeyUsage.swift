internal import CensusCore
internal import CensusStore
internal import Logging
internal import ServiceLifecycle
internal import Services
internal import Synchronization

/// What each key has used in this minute and the one before, so that an operator learns which one makes others wait.
///
/// Keys are named by the first digits of their hash, as `keys list` names them: never by their text.
final class KeyUsage: Service {
    struct Amount: Hashable {
        /// Of bodies, inflated.
        var bytes = 0
        /// Reading bodies.
        var processor: Duration = .zero
        /// Holding places for questions to the store.
        var store: Duration = .zero
        /// Requests that got 429, or 503 for lack of room or of a turn.
        var refused = 0

        static func + (left: Amount, right: Amount) -> Amount {
            Amount(
                bytes: left.bytes + right.bytes, processor: left.processor + right.processor,
                store: left.store + right.store, refused: left.refused + right.refused)
        }

        /// The one that has used more makes others wait.
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
    /// Only valid keys get here; with more of them in a minute the others go unnoticed.
    private static let most = 4_096
    /// How many are told of: each is a series of a metric.
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

    /// Those that have used the most in this minute and the one before, first the greediest.
    var greediest: [(name: String, amount: Amount)] {
        let (this, last) = minutes.withLock { ($0.this, $0.last) }
        return KeyUsage.greediest(of: this.merging(last) { $0 + $1 })
    }

    /// Ends a minute, and names the greediest key if anybody was turned away in it.
    func endMinute() {
        let ended = minutes.withLock { minutes in
            (minutes.last, minutes.this) = (minutes.this, [:])
            return minutes.last
        }
        let refused = ended.values.reduce(0) { $0 + $1.refused }
        guard refused > 0, let (name, amount) = KeyUsage.greediest(of: ended).first else { return }
        logger.warning(
            "requests were turned away, and this key used the most",
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

/// Who a request turned out to be from, for those who only see its answer.
final class Caller: Sendable {
    private let hash = Mutex<KeyHash?>(nil)

    /// Nil until a valid key was shown.
    var key: KeyHash? { hash.withLock { $0 } }

    func note(_ key: KeyHash) { hash.withLock { $0 = key } }
}
