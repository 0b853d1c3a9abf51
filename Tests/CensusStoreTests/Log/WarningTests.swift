import CensusCore
import CensusStore
import Testing

@Suite struct `Kept warnings` {
    private func parcel(
        _ test: TestStore, device: String = "6F1D", version: String = "1", received: Timestamp
    ) throws -> Parcel {
        let body = """
            {"sent_at":"\(received)","app":{"id":"\(TestStore.appID)","version":"\(version)"},
             "device":{"id":"\(device)","platform":"ios","os_version":"iOS 17"},"installation":{"id":"A0C2"},
             "events":[{"id":"\(received)","type":"widget_opened","at":"\(received)","widget":{"kind":"weather"}}]}
            """
        let batch = try BatchDecoder().decode(Array(body.utf8), received: received)
        return Parcel(batch, appNumber: test.app.number, secret: test.secret, received: received)
    }

    /// In any order of arrival, many at once or one by one: import, spool and door must come to the same.
    @Test(arguments: [1, 300]) func `of a device's on one day the newest stands, in whatever order they come`(
        parcels count: Int
    ) async throws {
        let noon = Timestamp.day(3, hour: 12)
        for isReversed in [false, true] {
            try await TestStore.with { test in
                var parcels = [
                    try parcel(test, version: "1", received: .day(3, hour: 1)),
                    try parcel(test, version: "2", received: noon),
                ]
                for number in 1..<count { parcels.append(try parcel(test, device: "phone \(number)", received: noon)) }
                if isReversed { parcels.reverse() }
                // A redelivery, too.
                for parcel in parcels + parcels { _ = try await test.store.log.append([parcel]) }
                let newest = try await test.lines(
                    "select app_version, received_at = '\(noon)' from census.warned where app_version = '2'")
                #expect(newest == ["2|t"])
                #expect(try await test.value(Int.self, "select count(*) from census.warned") == count)
            }
        }
    }

    @Test func `many at once are those of one after another`() async throws {
        try await TestStore.with { test in
            let parcels = try (0..<400).map { number in
                try parcel(
                    test, device: "phone \(number % 150)", version: "\(number)",
                    received: .day(3) + .seconds(Int64(number)))
            }
            _ = try await test.store.log.append(parcels)
            let kept = try await test.value(
                Int.self,
                "select count(*) from census.warned where app_version::integer >= 250 and code = 'os_version'")
            #expect(kept == 150)
            #expect(try await test.value(Int.self, "select count(*) from census.warned") == 150)
        }
    }

    @Test func `they go with the days that are kept no longer`() async throws {
        try await TestStore.with { test in
            _ = try await test.store.log.append([
                parcel(test, received: .day(3)), parcel(test, received: .day(4)),
            ])
            try await test.store.upkeep.sweep(keptFrom: .first + 4)
            #expect(try await test.lines("select warned_on from census.warned") == ["\(Day.first + 4)"])
        }
    }
}
