import Testing

/// What a scrape says about the store: soon true again after each change, and never a number that is not known.
@Suite(.serialized, .door) struct `Store gauges` {
    @Test func `devices that wait for the reconciler are counted`() async throws {
        let door = try door()
        #expect(try await door.post(Sample(Sample.opened())).status == 202)
        let scrape = try await door.scrape { $0["widget_census_pending_devices"] > 0 }
        #expect(scrape["widget_census_pending_devices"] == Double(try await door.number(Self.pending)))
        #expect(scrape["widget_census_store_up"] == 1)
        #expect(scrape["widget_census_pool_connections_max"] == 4)
        #expect(scrape["widget_census_pool_opened_total"] > 0)
    }

    @Test func `devices that are set aside are counted`() async throws {
        let door = try door()
        #expect(try await door.scrape { $0["widget_census_store_up"] == 1 }["widget_census_devices_set_aside"] == 0)
        _ = try await door.sql(
            "insert into census.set_aside (device_id, app_number, reason) values (gen_random_uuid(), 1, 'x')")
        let scrape = try await door.scrape { $0["widget_census_devices_set_aside"] > 0 }
        #expect(scrape["widget_census_devices_set_aside"] == 1)
    }

    @Test func `apps that a night could not close are counted by whose fault it was`() async throws {
        let door = try door()
        let name = #"widget_census_apps_not_closed{fault="data"}"#
        #expect(try await door.scrape { _ in true }[name] == 0)
        _ = try await door.number(
            """
            insert into census.app_night (app_number, fault, failure, failed_at)
            values (1000000001, 'data', 'one', now()), (1000000002, 'data', 'two', now())
            returning 1
            """)
        let scrape = try await door.scrape { $0[name] > 0 }
        #expect(scrape[name] == 2)
        #expect(scrape[#"widget_census_apps_not_closed{fault="away"}"#] == 0)
        _ = try await door.number("delete from census.app_night returning 1")
    }

    @Test func `while the store is away that is said, and the queue's length is absent`() async throws {
        let door = try door()
        try await door.allowConnections(false)
        let away = try await door.scrape { $0["widget_census_store_up"] == 0 }
        #expect(away.samples["widget_census_store_up"] == 0)
        #expect(away.samples["widget_census_pending_devices"] == nil)
        #expect(away.samples["widget_census_devices_set_aside"] == nil)
        try await door.allowConnections(true)
        #expect(try await door.scrape { $0["widget_census_store_up"] == 1 }["widget_census_store_up"] == 1)
    }

    @Test func `a store that does not answer holds no scrape up`() async throws {
        let door = try door()
        try await door.locked("pending_device", seconds: 8) { _ in
            try await Task.sleep(for: .seconds(2))
            let start = ContinuousClock.now
            let scrapes = try await withThrowingTaskGroup(of: Scrape.self) { group in
                for _ in 0..<10 { group.addTask { try await door.scrape() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(ContinuousClock.now - start < .seconds(3))
            #expect(scrapes.allSatisfy { $0.samples["widget_census_pending_devices"] == nil })
        }
    }

    private static let pending = "select count(*) from census.pending_device"
}

extension OpenDoor {
    /// Scrapes until it says so, or some seconds have passed: what the store says is remembered for a while.
    func scrape(until isSo: (Scrape) -> Bool) async throws -> Scrape {
        let deadline = ContinuousClock.now + .seconds(8)
        var scrape = try await scrape()
        while !isSo(scrape), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(200))
            scrape = try await self.scrape()
        }
        return scrape
    }
}
