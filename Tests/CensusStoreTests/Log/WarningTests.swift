import CensusCore
import CensusStore
import SeededRandom
import Testing

@Suite struct `Kept warnings` {
    private func rows(
        _ test: TestStore, device: String = "6F1D", version: String = "1", at: Timestamp? = nil, received: Timestamp
    ) throws -> BatchRows {
        let body = """
            {"sent_at":"\(received)","app":{"id":"\(TestStore.appID)","version":"\(version)"},
             "device":{"id":"\(device)","platform":"ios","os_version":"iOS 17"},"installation":{"id":"A0C2"},
             "events":[{"id":"\(received)","type":"widget_opened","at":"\(at ?? received)","widget":{"kind":"weather"}}]}
            """
        let batch = try BatchDecoder().decode(Array(body.utf8), received: received)
        return BatchRows(batch, appNumber: test.app.number, secret: test.secret, received: received)
    }

    /// In any order of arrival, in large commits or one by one, because import, spool and server must agree.
    @Test(arguments: [UInt64(1), 2], [1, 80])
    func `a device's warning of a day reflects its newest events, in any order of arrival`(
        seed: UInt64, batchesAtOnce: Int
    ) async throws {
        var random = Seeded(seed)
        let batches = (0..<4).flatMap { phone in
            // Two batches have the same time.
            (0..<10).map { (device: "phone \(phone)", version: "\($0)", at: Timestamp.day(3, hour: $0 / 2)) }
        }
        try await TestStore.with { test in
            // Includes redeliveries.
            let arrivals = (batches + batches).shuffled(using: &random).enumerated().map { minute, batch in
                (
                    device: batch.device, version: batch.version, at: batch.at,
                    received: Timestamp.day(3, hour: 12) + .seconds(60 * Int64(minute))
                )
            }
            let batches = try arrivals.shuffled(using: &random).map {
                try rows(test, device: $0.device, version: $0.version, at: $0.at, received: $0.received)
            }
            for start in stride(from: 0, to: batches.count, by: batchesAtOnce) {
                _ = try await test.store.log.append(Array(batches[start...].prefix(batchesAtOnce)))
            }
            #expect(try await test.lines("select app_version from census.warned") == ["9", "9", "9", "9"])
            // The first delivery is kept, not its redelivery.
            let first = Dictionary(grouping: arrivals.filter { $0.version == "9" }, by: { $0.device })
                .compactMap { $0.value.map { $0.received }.min() }
            let kept = "select count(*) from census.warned where received_at = any($1)"
            #expect(try await test.value(Int.self, kept, [first]) == 4)
        }
    }

    @Test func `a large commit keeps the newest warning of each device`() async throws {
        try await TestStore.with { test in
            let batches = try (0..<400).map { number in
                try rows(
                    test, device: "phone \(number % 150)", version: "\(number)",
                    received: .day(3) + .seconds(Int64(number)))
            }
            _ = try await test.store.log.append(batches)
            let kept = try await test.value(
                Int.self,
                "select count(*) from census.warned where app_version::integer >= 250 and code = 'os_version'")
            #expect(kept == 150)
            #expect(try await test.value(Int.self, "select count(*) from census.warned") == 150)
        }
    }

    /// Regression: a redelivery whose events had become too old in the meantime counted as the newest of all.
    @Test func `a batch of rejected events doesn't replace the warning of one with accepted events`() async throws {
        try await TestStore.with { test in
            let taken = try rows(test, version: "2", received: .day(3))
            let refused = try rows(test, version: "1", at: .day(9), received: .day(3, hour: 12))
            _ = try await test.store.log.append([taken])
            _ = try await test.store.log.append([refused])
            #expect(try await test.lines("select code from census.refused") == ["in_future"])
            #expect(try await test.lines("select app_version from census.warned") == ["2"])
        }
    }

    /// Regression: the check lacked `other_family`, so one such warning failed `nightly --verify`.
    @Test func `every code that can be stored passes the report's check`() async throws {
        try await TestStore.with { test in
            _ = try await test.store.log.append([rows(test, received: .day(3))])
            // Undeclared kinds and families are not stored here: `report zombies` counts them.
            let kept = Set(BatchWarning.Code.allCases).subtracting([.osVersion, .undeclaredKind, .undeclaredFamily])
            for code in kept {
                try await test.execute(
                    """
                    insert into census.warned (
                        device_id, warned_on, code, app_number, occurred_at, received_at, app_version, pointer, message)
                    select device_id, warned_on, '\(code.rawValue)', app_number, occurred_at, received_at, app_version,
                        pointer, message
                    from census.warned
                    where code = 'os_version'
                    """)
            }
            let broken = try await test.store.reports.check().filter { !$0.holds && $0.report == "warned" }
            #expect(broken.isEmpty, "\(broken)")
        }
    }

    @Test func `retention deletes the warnings of dropped days`() async throws {
        try await TestStore.with { test in
            _ = try await test.store.log.append([
                rows(test, received: .day(3)), rows(test, received: .day(4)),
            ])
            try await test.store.upkeep.sweep(keptFrom: .first + 4)
            #expect(try await test.lines("select warned_on from census.warned") == ["\(Day.first + 4)"])
        }
    }
}
