import Logging
import PostgresTesting
import Synchronization
import Testing

@testable import IngestServer

/// In an outage two lines a refused request filled the disk.
@Suite struct `Faults in the log` {
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

    @Test func `faults are one line when they begin, one a minute, and one when they have ended`() {
        let (faults, records, clock) = start()
        var failures = 0
        for _ in 0..<1_000 {
            faults.failed("store_away", "a request failed", ["request": "\(failures)"])
            // One in the middle that succeeds ends nothing.
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

    /// At night hardly anybody asks.
    @Test func `faults end when something succeeds, and last as long as nothing does`() {
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

    @Test func `faults of two kinds do not hide each other, and a single one is one line`() {
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
    func `faults don't end with a request that would have succeeded anyway`(route: String, status: Int) {
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
