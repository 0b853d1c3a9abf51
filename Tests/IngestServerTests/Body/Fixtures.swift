import CensusStore
import Testing

/// Bodies from real apps, posted to a server.
@Suite(.serialized, .server) struct `Fixtures` {
    @Test(arguments: Fixture.all)
    func `each fixture gets the response it expects, and its events are stored as it expects`(
        fixture: Fixture
    ) async throws {
        let server = try await server(for: fixture)
        let (observations, refusals) = try await counts(server)

        let response = try await server.post(fixture.body)

        let expected = fixture.expectation
        #expect(response.status == expected.status)
        let answer = try response.answer
        #expect((answer.accepted ?? 0) == expected.accepted)
        let rejected = answer.rejected ?? []
        #expect(rejected.map(\.index) == expected.rejected.map(\.index))
        #expect(rejected.map(\.code) == expected.rejected.map(\.code))
        #expect(rejected.allSatisfy { $0.message?.isEmpty == false })
        let (now, kept) = try await counts(server)
        #expect(now - observations == expected.accepted)
        #expect(kept.count - refusals.count == expected.rejected.count)
        for code in Set(rejected.map(\.code)) {
            let new = kept.count { $0 == code } - refusals.count { $0 == code }
            #expect(new == expected.rejected.count { $0.code == code }, "\(code)")
        }
    }

    @Test(arguments: Fixture.all) func `a fixture sent again gets the same response and adds nothing`(
        fixture: Fixture
    ) async throws {
        let server = try await server(for: fixture)
        let first = try await server.post(fixture.body)
        let (observations, refusals) = try await counts(server)

        let second = try await server.post(fixture.body)

        #expect(second.status == first.status)
        #expect(second.body == first.body)
        let (now, kept) = try await counts(server)
        #expect(now == observations)
        #expect(kept == refusals)
    }

    /// With a key of the fixture's app.
    private func server(for fixture: Fixture) async throws -> IngestTestServer {
        var server = try IngestServerTests.server()
        server.key = try await IngestTestServer.addApp(fixture.app, to: server.store)
        return server
    }

    private func counts(_ server: IngestTestServer) async throws -> (observations: Int, refusals: [Substring]) {
        let codes = try await server.sql("select code from census.refused order by code").split(separator: "\n")
        return (try await server.rows(), codes)
    }
}
