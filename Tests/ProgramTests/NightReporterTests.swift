import CensusStore
import Nightly
import PostgresTesting
import Testing

@testable import widget_census

@Suite struct `Night progress` {
    /// One check of `--verify` takes minutes on a large fleet, and a journal once showed nothing meanwhile.
    @Test func `the log shows progress at intervals, even while no step ends`() async throws {
        let records = LogRecords()
        let reporter = NightReporter(logger: records.logger, isOnScreen: false, interval: .milliseconds(20))
        try await reporter.follow {
            reporter.note(NightProgress(.verifying, done: 3, of: 15, app: "com.example"))
            let hasLines = try await eventually { records.text.split(separator: "\n").count >= 3 }
            #expect(hasLines)
        }
        let lines = records.text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.contains("the night is still running") && $0.contains("verifying") })
        try await Task.sleep(for: .milliseconds(100))
        #expect(records.text.split(separator: "\n").count == lines.count, "the night is over")
    }
}
