import CensusStore
import Testing

@Suite struct `Report help` {
    @Test func `the help names every report and describes it`() async throws {
        let outcome = try await Program().start(["report", "--help"]).finished()
        let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        for name in ReportReader.names {
            #expect(lines.contains { $0.first == name && $0.count > 3 }, "\(name)")
        }
    }
}
