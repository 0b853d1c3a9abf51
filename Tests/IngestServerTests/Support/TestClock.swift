import CensusCore
import Synchronization

/// The server's clock in a test. It changes only when the test sets it.
final class TestClock: Sendable {
    private let time = Mutex(Timestamp.test("2026-11-21T10:00:00Z"))

    var now: Timestamp { time.withLock { $0 } }

    func set(_ text: String) { time.withLock { $0 = .test(text) } }
}

extension Timestamp {
    static func test(_ text: String) -> Timestamp {
        guard let time = Timestamp(rfc3339: text) else { preconditionFailure("\(text) is no time") }
        return time
    }
}
