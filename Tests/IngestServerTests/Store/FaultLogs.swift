import Logging
import PostgresTesting
import Synchronization
import Testing

@testable import IngestServer

/// During an outage, two lines for each rejected request once filled the disk.
@Suite struct `Fault log` {
    private final class Clock: Sendable {
        private let instant = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { instant.withLock { $0 } }
        func advance(_ span: Duration) { instant.withLock { $0 += span } }
    }

    private func start() -> (FaultLog, LogRecords, Clock) {
        let clock = Clock()
        let records = LogRecords()
        var logger = records.logger
        logger.logLevel = .info
        return (FaultLog(logger: logger) { clock.now }, records, clock)
    }

    @Test func `a fault logs one line when it begins, one a minute, and one when it ends`() {
        let (faults, records, clock) = start()
        var failures = 0
        for _ in 0..<1_000 {
            faults.failed("store_away", "a request failed", ["request": "\(failures)"])
            // A single success in between doesn't end the fault.
            faults.passed()
            failures += 1
            clock.advance(.milliseconds(100))
        }
        let lines = { records.text.split(separator: "\n").map(String.init) }
        #expect(lines().count == 2)
        #expect(lines()[0].contains("a request failed") && lines()[0].contains(#""request": 0"#))
        #expect(lines()[1].contains("a fault continues") && lines()[1].contains(#""count": 600"#))
        clock.advance(.seconds(9))
        faults.passed()
        #expect(lines().count == 2)
        clock.advance(.seconds(1))
        faults.passed()
        faults.passed()
        #expect(lines().count == 3)
        #expect(lines()[2].contains("notice a fault has ended") && lines()[2].contains(#""count": 1000"#))
    }

    /// At night requests are minutes apart.
    @Test func `a fault lasts until a request succeeds, even after a long pause`() {
        let (faults, records, clock) = start()
        for pause in [1, 300, 20] {
            faults.failed("store_away", "a request failed", [:])
            clock.advance(.seconds(pause))
        }
        faults.passed()
        let lines = records.text.split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        #expect(lines.last?.contains("a fault has ended") == true && lines.last?.contains(#""seconds": 321"#) == true)
    }

    @Test func `faults of two kinds are logged separately, and a single failure logs one line`() {
        let (faults, records, clock) = start()
        faults.failed("store_away", "a request failed", [:])
        faults.failed("queue_full", "a request failed", [:])
        clock.advance(.seconds(60))
        faults.passed()
        #expect(records.text.split(separator: "\n").count == 2)
        faults.failed("store_away", "a request failed", [:])
        #expect(records.text.split(separator: "\n").count == 3)
    }

    @Test(arguments: [("livez", 200), ("gallery_policy", 200), ("events", 401)])
    func `a response that doesn't need the store doesn't end a fault`(route: String, status: Int) {
        let (faults, records, clock) = start()
        for _ in 0..<2 { faults.failed("store_away", "a request failed", [:]) }
        clock.advance(.seconds(11))
        func answered(_ route: String, _ status: Int) {
            RequestRecord(id: RequestID(), route: route)
                .log(status: status, code: nil, took: .zero, to: records.logger, faults)
        }
        answered(route, status)
        #expect(!records.text.contains("a fault has ended"))
        answered("events", 202)
        #expect(records.text.contains("a fault has ended"))
    }
}
