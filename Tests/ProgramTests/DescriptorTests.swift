import Foundation
import PostgresTesting
import Testing

/// A process that runs out of file descriptors dies or spins in its event loops, so it accepts fewer connections
/// instead.
@Suite struct `File descriptors` {
    @Test func `serve accepts fewer connections if descriptors are few, and logs it`() async throws {
        let database = try await TestDatabase.migrated()
        var program = Program.onDatabase(database)
        program.descriptors = 300
        let service = try program.start(["serve", "--port", "0"])
        #expect(try await service.says("listens on http://127.0.0.1:"))
        #expect(service.said.contains("fewer connections than configured"))
        #expect(service.said.contains("connections=44"))
        kill(service.process.processIdentifier, SIGTERM)
        #expect(await service.finished().status == 0)

        program.descriptors = 260
        let outcome = try await program.run("serve", "--port", "0")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("this process may open 260 files"))
        #expect(outcome.errors.contains("ulimit -n"))

        program.descriptors = 300
        program.environment["CENSUS_CONNECTIONS"] = "40"
        let enough = try program.start(["serve", "--port", "0"])
        #expect(try await enough.says("listens on http://127.0.0.1:"))
        #expect(!enough.said.contains("fewer connections"))
        kill(enough.process.processIdentifier, SIGTERM)
        #expect(await enough.finished().status == 0)
        try await database.drop()
    }
}
