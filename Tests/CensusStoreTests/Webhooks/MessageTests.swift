import CensusCore
import Fleet
import Nightly
import Postgres
import Testing

@testable import CensusStore

@Suite struct `Messages to webhooks` {
    private func add(to test: TestStore, form: WebhookMessage.Form = .standard) async throws {
        _ = try await test.store.webhooks.add(
            url: "https://example.com/hook", form: form, consoleURL: "https://census.example.com", allowsPrivate: false,
            by: "tester", app: test.app)
    }

    private func told(_ test: TestStore, _ members: String...) async throws -> [String] {
        let values = members.map { "payload::json -> 'data' ->> '\($0)'" }
        return try await test.lines(
            """
            select \((["type"] + values).joined(separator: ", ")) from census.webhook_delivery
            where payload like '{"type"%'
            order by created_at
            """)
    }

    private func night(_ test: TestStore, through day: Int = 79) async throws -> NightlyJob.Summary {
        try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + day)
    }

    /// 240 phones with two kinds on 1.0. On day 73 the first 40 update to 2.0, and 20 of them lose `radar`. On day 74
    /// another 60 update, and 30 of these lose it. On day 75 the rest update and keep it.
    private func fleet(through last: Int) -> [Phone] {
        (0..<240).map { number in
            var phone = Phone("phone \(number)")
            for day in 70...72 { phone.reports(["radar", "weather"], .day(day)) }
            let (update, loses) =
                number < 40 ? (73, number < 20) : number < 100 ? (74, number < 70) : (75, false)
            for day in 73...last {
                if day >= update { phone.circumstances.appVersion = "2.0" }
                phone.reports(day >= update && loses ? ["weather"] : ["radar", "weather"], .day(day))
            }
            return phone
        }
    }

    @Test func `an incident sends one message per state until no device is at risk`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await add(to: test)
            for day in 73...76 {
                try await test.tell(fleet(through: day))
                _ = try await night(test, through: day)
                _ = try await night(test, through: day)
            }
            #expect(
                try await told(test, "kind", "lost", "state", "devices_at_risk", "console_url") == [
                    "mass_loss.opened|radar|20|open|200|https://census.example.com/console/losses?app=\(TestStore.appID)",
                    "mass_loss.grown|radar|50|open|140|https://census.example.com/console/losses?app=\(TestStore.appID)",
                    "mass_loss.ended|radar|50|open|0|https://census.example.com/console/losses?app=\(TestStore.appID)",
                ])
        }
    }

    @Test func `an incident that a person closed sends no further message`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await add(to: test)
            try await test.tell(fleet(through: 73))
            _ = try await night(test, through: 73)
            _ = try await test.store.losses.act(
                .closed, kind: "radar", version: "2.0", by: "anna", because: "known", app: test.app)
            try await test.tell(fleet(through: 75))
            _ = try await night(test, through: 75)
            #expect(
                try await told(test, "lost", "state") == ["mass_loss.opened|20|open", "mass_loss.closed|20|closed"])
        }
    }

    @Test func `a kind sends one message when it becomes ready and one when it no longer is`() async throws {
        let retirement = Retirement()
        try await TestStore.with(retirement.limits, isPartitioned: true) { test in
            try await add(to: test)
            try await test.tell(retirement.fleet(active: 37, holders: 2, silent: 1))
            try await test.reconcile()
            try await retirement.mark(test)
            #expect(try await told(test) == [])
            _ = try await night(test)
            _ = try await night(test)
            #expect(
                try await told(test, "kind", "verdict", "devices_possible", "devices_silent", "limit_devices") == [
                    "kind.ready|legacy|ready|2|1|3"
                ])
            let more = (0..<5).map { number in
                var phone = Phone("late \(number)")
                phone.reports(["legacy"], .day(79))
                return phone
            }
            try await test.tell(more)
            _ = try await night(test)
            _ = try await night(test)
            #expect(try await told(test, "verdict").last == "kind.not_ready|not ready")
            #expect(try await told(test).count == 2)
        }
    }

    @Test func `a failed night sends its app's webhooks one message, and its recovery another`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            _ = try await test.store.apps.add("com.example.another")
            let another = try await test.store.apps.app("com.example.another")
            try await add(to: test)
            try await add(to: test, form: .slack)
            _ = try await test.store.webhooks.add(
                url: "https://example.com/other", allowsPrivate: false, by: "tester", app: another)
            try await test.tell(fleet(through: 73))
            _ = try await night(test)
            #expect(try await told(test).filter { $0.hasPrefix("night") } == [])
            try await test.execute(
                """
                alter table census.kind_day add constraint nothing_fits check (app_number <> \(test.app.number)) not valid;
                update census.app_night set is_doubted = true
                """)
            for _ in 0..<2 { #expect(try await !night(test).failed.isEmpty) }
            let failed = try await told(test, "app_id", "summary").filter { $0.hasPrefix("night") }
            #expect(failed.count == 1)
            #expect(
                failed.first?.hasPrefix(
                    "night.failed|\(TestStore.appID)|The nightly job failed for \(TestStore.appID), so numbers and "
                        + "verdicts are out of date: its days could not be closed: ") == true)
            try await test.execute("alter table census.kind_day drop constraint nothing_fits")
            for _ in 0..<2 { #expect(try await night(test).failed.isEmpty) }
            #expect(
                try await told(test, "app_id").filter { $0.hasPrefix("night") } == [
                    "night.failed|\(TestStore.appID)", "night.recovered|\(TestStore.appID)",
                ])
            let slack = try await test.lines(
                """
                select payload::json ->> 'text' from census.webhook_delivery
                where type like 'night.%' and payload like '{"text"%'
                order by created_at
                """)
            #expect(slack.count == 2)
            #expect(
                slack.last == "The nightly job succeeds again for \(TestStore.appID).\n"
                    + "<https://census.example.com/console/status?app=\(TestStore.appID)|Open the console>")
        }
    }
}
