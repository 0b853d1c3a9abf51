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

    @Test(arguments: [true, false]) func `every line of a JSON log is an object with time, level and message`(
        byFlag: Bool
    ) async throws {
        let database = try await TestDatabase.migrated()
        var program = Program.onDatabase(database)
        program.environment["CENSUS_LOG_LEVEL"] = "debug"
        if !byFlag { program.environment["CENSUS_LOG_FORMAT"] = "json" }
        let service = try program.start(["serve", "--port", "0"] + (byFlag ? ["--log-format", "json"] : []))
        #expect(try await service.says("listens on http://127.0.0.1:"))
        kill(service.process.processIdentifier, SIGTERM)
        let outcome = await service.finished()
        #expect(outcome.status == 0)
        #expect(try messages(of: outcome).contains { $0.hasPrefix("Widget Census listens on") })
        try await database.drop()
    }

    /// - Returns: the messages. Each line must be an object of the log.
    private func messages(of outcome: Program.Outcome) throws -> [String] {
        try outcome.errors.split(separator: "\n").map { line in
            let record = try JSONDecoder().decode(Line.self, from: Data(line.utf8))
            #expect(Timestamp(rfc3339: record.time) != nil)
            #expect(["debug", "info", "notice", "warning", "error"].contains(record.level))
            #expect(!record.message.isEmpty)
            return record.message
        }
    }

    @Test(
        arguments: [
            (["serve", "--port", "99999"], [:], 2), (["serve", "--prot", "1"], [:], 2), (["nonsense"], [:], 2),
            (["apps", "list"], ["CENSUS_PROT": "1"], 2),
            (["apps", "list"], ["DATABASE_URL": "host=127.0.0.1 port=1"], 3),
            (["apps", "list"], ["CENSUS_DATA_DIR": "/etc/passwd"], 2),
        ] as [([String], [String: String], Int32)])
    func `a program that fails logs JSON, too`(
        arguments: [String], environment: [String: String], status: Int32
    ) async throws {
        var program = Program(environment: environment)
        // The environment is read before any argument is parsed, but a flag can be behind the invalid argument.
        program.environment["CENSUS_LOG_FORMAT"] = "json"
        let outcome = try await program.start(arguments).finished()
        #expect(outcome.status == status)
        #expect(try messages(of: outcome).count == 1)
    }

    /// libpq once printed a warning as text on standard error, for each new connection.
    @Test func `the log has each of PostgreSQL's notices once`() async throws {
        let database = try await TestDatabase.migrated()
        _ = try await database.query("alter database \"\(database.name)\" set default_tablespace = 'nowhere'")
        var program = Program.onDatabase(database)
        program.environment["CENSUS_LOG_FORMAT"] = "json"
        let service = try program.start(["serve", "--port", "0"])
        #expect(try await service.says("listens on http://127.0.0.1:"))
        kill(service.process.processIdentifier, SIGTERM)
        let outcome = await service.finished()
        #expect(try messages(of: outcome).count { $0 == "postgres notice" } == 1)
        #expect(outcome.errors.contains(#""level":"warning","message":"postgres notice""#))
        #expect(outcome.errors.contains("default_tablespace"))
        try await database.drop()
    }

    @Test(arguments: [["--log-format", "json"], ["--log-format=json"]]) func `the flag alone makes errors JSON`(
        flag: [String]
    ) async throws {
        let outcome = try await Program().start(["serve", "--port", "99999"] + flag).finished()
        #expect(outcome.status == 2)
        #expect(try messages(of: outcome).count == 1)
    }

    @Test(arguments: [
        ("CENSUS_LOG_FORMAT", "xml"), ("CENSUS_METRICS", "public"), ("CENSUS_RATE_REQUESTS", "-1"),
        ("CENSUS_RATE_EVENTS", "many"), ("CENSUS_RATE_KIB", "1.5"), ("CENSUS_CONNECTIONS", "0"),
        ("CENSUS_CONSOLE", "public"),
    ]) func `an unknown value is an error that says what is accepted`(name: String, value: String) async throws {
        let program = Program(environment: [name: value])
        let outcome = try await program.run("apps", "list")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("\(name) is \(value); it must be"))
    }
}
