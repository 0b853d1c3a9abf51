import CensusStore
import Testing

@Suite struct `Help of report` {
    @Test func `names every report with what it answers`() async throws {
        let outcome = try await Program().start(["report", "--help"]).finished()
        let lines = outcome.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        for name in ReportReader.names {
            #expect(lines.contains { $0.first == name && $0.count > 3 }, "\(name)")
        }
    }
}
