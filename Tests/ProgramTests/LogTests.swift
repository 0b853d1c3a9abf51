import CensusCore
import Foundation
import PostgresTesting
import Testing

@Suite struct `Logs` {
    private struct Line: Decodable {
        var time: String
        var level: String
        var message: String
        var metadata: [String: String]?
    }

    @Test(arguments: [true, false]) func `as JSON every line is an object with time, level and message`(
        byFlag: Bool
    ) async throws {
        let database = try await TestDatabase.create()
        var program = Program.onDatabase(database)
        #expect(try await program.run("migrate").status == 0)
        program.environment["CENSUS_LOG_LEVEL"] = "debug"
        if !byFlag { program.environment["CENSUS_LOG_FORMAT"] = "json" }
        let service = try program.start(["serve", "--port", "0"] + (byFlag ? ["--log-format", "json"] : []))
        #expect(try await service.says("listens on http://127.0.0.1:"))
        kill(service.process.processIdentifier, SIGTERM)
        let outcome = await service.finished()
        #expect(outcome.status == 0)
        // What is for the person at the terminal stays as it is.
        let lines = outcome.errors.split(separator: "\n").filter { !$0.contains("listens on") }
        #expect(!lines.isEmpty)
        for line in lines {
            let record = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
            #expect(Timestamp(rfc3339: record.time) != nil)
            #expect(["debug", "info", "notice", "warning", "error"].contains(record.level))
            #expect(!record.message.isEmpty)
        }
        try await database.drop()
    }

    @Test(arguments: [
        ("CENSUS_LOG_FORMAT", "xml"), ("CENSUS_METRICS", "public"), ("CENSUS_RATE_REQUESTS", "-1"),
        ("CENSUS_RATE_EVENTS", "many"),
    ]) func `a value that is not known is an error that says which are`(name: String, value: String) async throws {
        let program = Program(environment: [name: value])
        let outcome = try await program.run("apps", "list")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("\(name) is \(value); it is"))
    }
}
