import Testing

/// Gauges of the store. They follow each change soon, and an unknown number is absent.
@Suite(.serialized, .server) struct `Store gauges` {
    @Test func `devices that wait for the reconciler are counted`() async throws {
        let server = try server()
        #expect(try await server.post(Sample(Sample.opened())).status == 202)
        let scrape = try await server.scrape { $0["widget_census_pending_devices"] > 0 }
        #expect(scrape["widget_census_pending_devices"] == Double(try await server.number(Self.pending)))
        #expect(scrape["widget_census_store_up"] == 1)
        #expect(scrape["widget_census_pool_connections_max"] == 4)
        #expect(scrape["widget_census_pool_opened_total"] > 0)
    }

    @Test func `the wait of the oldest device begins when it is queued, not at its event`() async throws {
        let server = try server()
        let name = "widget_census_pending_seconds"
        _ = try await server.sql("delete from census.pending_device")
        #expect(try await server.scrape { $0[name] == 0 }[name] == 0)
        _ = try await server.sql(
            """
            insert into census.pending_device (device_id, app_number, earliest_at, queued_at)
            values (gen_random_uuid(), 1, now() - interval '20 days', now() - interval '10 minutes'),
                (gen_random_uuid(), 1, now() - interval '20 days', now())
            """)
        #expect((600..<700).contains(try await server.scrape { $0[name] > 0 }[name]))
        _ = try await server.sql("delete from census.pending_device")
    }

    @Test func `devices that are set aside are counted`() async throws {
        let server = try server()
        #expect(try await server.scrape { $0["widget_census_store_up"] == 1 }["widget_census_devices_set_aside"] == 0)
        _ = try await server.sql(
            "insert into census.set_aside (device_id, app_number, reason) values (gen_random_uuid(), 1, 'x')")
        let scrape = try await server.scrape { $0["widget_census_devices_set_aside"] > 0 }
        #expect(scrape["widget_census_devices_set_aside"] == 1)
    }

    @Test func `apps that a night could not close are counted by fault`() async throws {
        let server = try server()
        let name = #"widget_census_apps_not_closed{fault="data"}"#
        #expect(try await server.scrape { _ in true }[name] == 0)
        _ = try await server.number(
            """
            insert into census.app_night (app_number, fault, failure, failed_at)
            values (1000000001, 'data', 'one', now()), (1000000002, 'data', 'two', now())
            returning 1
            """)
        let scrape = try await server.scrape { $0[name] > 0 }
        #expect(scrape[name] == 2)
        #expect(scrape[#"widget_census_apps_not_closed{fault="away"}"#] == 0)
        _ = try await server.number("delete from census.app_night returning 1")
    }

    @Test func `a gauge has the end of the last night that did not fail`() async throws {
        let server = try server()
        let name = "widget_census_last_night_timestamp_seconds"
        #expect(try await server.scrape { $0["widget_census_store_up"] == 1 }.samples[name] == nil)
        _ = try await server.number(
            """
            insert into census.night_run (started_at, finished_at, failure)
            values ('2026-11-20 02:00Z', '2026-11-20 02:10Z', null),
                ('2026-11-21 02:00Z', '2026-11-21 02:10Z', 'reconciling: the store was away'),
                ('2026-11-22 02:00Z', null, null)
            returning 1
            """)
        #expect(try await server.scrape { $0[name] > 0 }[name] == 1_795_140_600)
        _ = try await server.sql("delete from census.night_run")
    }

    @Test func `open incidents of mass loss are counted`() async throws {
        let server = try server()
        let name = "widget_census_losses_open"
        #expect(try await server.scrape { $0["widget_census_store_up"] == 1 }.samples[name] == 0)
        _ = try await server.number(
            """
            with version as (
                insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
                select app_number, '2.0', '2026-11-01', 0, 3, 0.01
                from census.app
                returning app_number, to_version)
            insert into census.loss_watch (app_number, surface, kind, to_version, chance, tolerance, state, opened_on)
            select app_number, 'widget', kind, to_version, 0.001, 2, state, '2026-11-02'
            from version
            cross join (values ('a', 'open'), ('b', 'acknowledged'), ('c', 'open')) as watched (kind, state)
            returning 1
            """)
        #expect(try await server.scrape { $0[name] > 0 }[name] == 2)
        _ = try await server.sql("delete from census.loss_watch")
        _ = try await server.sql("delete from census.loss_version")
    }

    @Test func `gauges count messages that wait for webhooks, and webhooks that fail`() async throws {
        let server = try server()
        let (waiting, failing) = ("widget_census_webhook_deliveries_waiting", "widget_census_webhooks_failing")
        let before = try await server.scrape { $0["widget_census_store_up"] == 1 }
        #expect(before.samples[waiting] == 0 && before.samples[failing] == 0)
        _ = try await server.number(
            """
            with webhook as (
                insert into census.webhook (app_number, url, secret, allows_private, added_by, failing_since)
                select app_number, 'https://a.example/', '', false, 'anna', now()
                from census.app
                returning webhook_number)
            insert into census.webhook_delivery (webhook_number, message_id, type, payload, next_attempt_at)
            select webhook_number, 'msg_' || number, 'webhook.test', '{}', now()
            from webhook
            cross join generate_series(1, 2) as number
            returning 1
            """)
        let scrape = try await server.scrape { $0[waiting] > 0 }
        #expect(scrape[waiting] == 2 && scrape[failing] == 1)
        _ = try await server.sql("delete from census.webhook_delivery")
        _ = try await server.sql("delete from census.webhook")
    }

    @Test func `while the store is away a gauge says so, and the queue's length is absent`() async throws {
        let server = try server()
        try await server.allowConnections(false)
        let away = try await server.scrape { $0["widget_census_store_up"] == 0 }
        #expect(away.samples["widget_census_store_up"] == 0)
        #expect(away.samples["widget_census_pending_devices"] == nil)
        #expect(away.samples["widget_census_devices_set_aside"] == nil)
        try await server.allowConnections(true)
        #expect(try await server.scrape { $0["widget_census_store_up"] == 1 }["widget_census_store_up"] == 1)
    }

    @Test func `a store that does not respond delays no scrape`() async throws {
        let server = try server()
        try await server.locked("pending_device", seconds: 8) { until in
            try await Task.sleep(for: .seconds(2))
            let scrapes = try await withThrowingTaskGroup(of: Scrape.self) { group in
                for _ in 0..<10 { group.addTask { try await server.scrape() } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            // One after another they would take ten seconds.
            #expect(ContinuousClock.now < until, "the scrapes waited for the table")
            #expect(scrapes.allSatisfy { $0.samples["widget_census_pending_devices"] == nil })
        }
    }

    private static let pending = "select count(*) from census.pending_device"
}

extension IngestTestServer {
    /// Scrapes until the condition holds, or some seconds have passed, because gauges of the store are cached.
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
