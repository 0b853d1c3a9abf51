import CensusCore
import Foundation
import PostgresTesting
import Synchronization
import Testing

@testable import CensusStore
@testable import Webhooks

/// From the night's transaction to the receiver.
@Suite struct `Deliveries` {
    @Test func `a queued message arrives signed, and is not sent again`() async throws {
        try await WebhookWorld.with { world in
            let receiver = try Receiver(.status(204))
            defer { receiver.close() }
            let (_, secret) = try await world.add(receiver, path: "/census?token=1")
            #expect(try await world.enqueue() == 1)
            #expect(try await world.service().deliver() == 1)
            #expect(try await world.service().deliver(now: world.now(in: .days(2))) == 0)

            let request = try #require(receiver.requests.first)
            #expect(receiver.requests.count == 1)
            #expect(request.line == "POST /census?token=1 HTTP/1.1")
            #expect(request.body == WebhookMessage.opened.body(.standard, console: nil))
            #expect(request.headers["content-type"] == "application/json")
            #expect(request.headers["user-agent"] == "widget-census/1.2.3")
            #expect(request.headers["host"] == "127.0.0.1:\(receiver.port)")
            #expect(request.id.wholeMatch(of: /msg_[0-9a-f]{32}/) != nil)
            let seconds = try #require(request.headers["webhook-timestamp"].flatMap(Int64.init))
            let sent = try await world.now(in: .zero)
            #expect(abs(sent.microseconds / 1_000_000 - seconds) < 60)
            #expect(
                request.headers["webhook-signature"]
                    == secret.signature(id: request.id, seconds: seconds, payload: request.body))
            let webhook = try #require(try await world.store.webhooks.all(app: world.app).first)
            #expect(webhook.deliveredAt != nil && webhook.failingSince == nil && webhook.waiting == 0)
            #expect(webhook.lastStatus == 204 && webhook.lastError == nil)
        }
    }

    @Test func `a message of a rolled-back transaction is never sent`() async throws {
        try await WebhookWorld.with { world in
            let receiver = try Receiver()
            defer { receiver.close() }
            try await world.add(receiver)
            struct RolledBack: Error {}
            await #expect(throws: StoreError.self) {
                try await world.store.database.transaction("test") { transaction in
                    try await transaction.enqueue(.opened, appNumber: world.app.number)
                    throw RolledBack()
                }
            }
            #expect(try await world.service().deliver() == 0)
            #expect(receiver.connections == 0)
        }
    }

    @Test func `two nodes deliver each message once`() async throws {
        try await WebhookWorld.with { world in
            let receivers = try (0..<4).map { _ in try Receiver() }
            defer { receivers.forEach { $0.close() } }
            for receiver in receivers { try await world.add(receiver) }
            for _ in 0..<25 { #expect(try await world.enqueue() == 4) }
            let attempts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 { group.addTask { try await world.service().deliver() } }
                return try await group.reduce(0, +)
            }
            // The node that finds nothing left stops first, while the other can still hold the rest.
            let rest = try await world.service().deliver()
            #expect(attempts + rest == 100)
            let ids = receivers.map { Set($0.requests.map(\.id)) }
            for (receiver, ids) in zip(receivers, ids) {
                #expect(receiver.requests.count == 25)
                #expect(ids.count == 25)
            }
            // The id names the message, not the delivery.
            #expect(Set(ids).count == 1)
        }
    }

    @Test func `a receiver that returns 500 for a day finally gets the message, the same each time`() async throws {
        try await WebhookWorld.with { world in
            let receiver = try Receiver(.status(500))
            defer { receiver.close() }
            try await world.add(receiver)
            try await world.enqueue()
            var passed = Duration.zero
            while passed < .hours(40) {
                if passed > .hours(24) { receiver.answer(.status(200)) }
                try await world.service().deliver(now: world.now(in: passed))
                passed += .minutes(20)
            }
            #expect(receiver.requests.count == 8)
            #expect(Set(receiver.requests.map(\.id)).count == 1)
            #expect(Set(receiver.requests.map(\.body)).count == 1)
            // Each attempt is signed for its own time.
            #expect(Set(receiver.requests.map { $0.headers["webhook-signature"] ?? "" }).count == 8)
            let webhook = try #require(try await world.store.webhooks.all(app: world.app).first)
            #expect(webhook.deliveredAt != nil && webhook.failingSince == nil)
            #expect(webhook.waiting == 0 && webhook.givenUp == 0)
        }
    }

    @Test func `a message is given up after eight failed attempts, and later messages are still sent`()
        async throws
    {
        try await WebhookWorld.with { world in
            let receiver = try Receiver(.status(500))
            defer { receiver.close() }
            try await world.add(receiver)
            try await world.enqueue()
            for hour in 0..<80 { try await world.service().deliver(now: world.now(in: .hours(Int64(hour)))) }
            #expect(receiver.requests.count == 8)
            var webhook = try #require(try await world.store.webhooks.all(app: world.app).first)
            #expect(webhook.givenUp == 1 && webhook.waiting == 0 && webhook.lastError == "it answered 500")
            #expect(webhook.failingSince != nil)
            #expect(world.logs.text.contains("error a webhook message was given up"))

            receiver.answer(.status(200))
            try await world.enqueue()
            try await world.service().deliver()
            #expect(receiver.requests.count == 9)
            webhook = try #require(try await world.store.webhooks.all(app: world.app).first)
            #expect(webhook.failingSince == nil && webhook.givenUp == 1)
        }
    }

    @Test func `the service waits as long as Retry-After says`() async throws {
        try await WebhookWorld.with { world in
            let receiver = try Receiver(.status(503, headers: ["Retry-After": "7200"]))
            defer { receiver.close() }
            try await world.add(receiver)
            try await world.enqueue()
            try await world.service().deliver()
            #expect(try await world.service().deliver(now: world.now(in: .minutes(118))) == 0)
            #expect(try await world.service().deliver(now: world.now(in: .minutes(121))) == 1)
        }
    }

    /// The node is killed between sending and recording.
    @Test func `another node sends the message of a dead one, with the same id`() async throws {
        try await WebhookWorld.with { world in
            let receiver = try Receiver()
            defer { receiver.close() }
            try await world.add(receiver)
            try await world.enqueue()
            let dead = try #require(try await world.store.webhooks.claim(atMost: 10).first)
            _ = await WebhookSender(version: "1", limit: .seconds(100)).send(dead, to: try #require(dead.target))
            #expect(receiver.requests.count == 1)
            // No node claims the message while the first might still be alive.
            #expect(try await world.service().deliver(now: world.now(in: .seconds(50))) == 0)
            #expect(try await world.service().deliver(now: world.now(in: .seconds(70))) == 1)
            #expect(receiver.requests.count == 2)
            #expect(Set(receiver.requests.map(\.id)).count == 1)
            // The first node was not dead after all, but its outcome is too late.
            try await world.store.webhooks.finish(dead, .failed(status: nil, reason: "late", retryIn: .seconds(5)))
            #expect(
                try await world.lines("select attempts, delivered_at is null, last_error from census.webhook_delivery")
                    == ["2|f|∅"])
        }
    }

    @Test func `an outcome that arrives during another attempt changes nothing`() async throws {
        try await WebhookWorld.with { world in
            try await world.add("http://127.0.0.1:9/")
            try await world.enqueue()
            let first = try #require(try await world.store.webhooks.claim(atMost: 1).first)
            let later = try await world.now(in: .seconds(70))
            let second = try #require(try await world.store.webhooks.claim(atMost: 1, now: later).first)
            #expect(first.attempt == 1 && second.attempt == 2)
            try await world.store.webhooks.finish(first, .delivered(status: 200))
            #expect(try await world.lines("select delivered_at from census.webhook_delivery") == ["∅"])
            try await world.store.webhooks.finish(second, .delivered(status: 200))
            #expect(try await world.lines("select delivered_at is null from census.webhook_delivery") == ["f"])
        }
    }

    @Test func `a removed webhook gets no more messages, and its address and secret are deleted`() async throws {
        try await WebhookWorld.with { world in
            let receiver = try Receiver()
            defer { receiver.close() }
            let (number, _) = try await world.add(receiver)
            try await world.enqueue()
            #expect(try await world.store.webhooks.remove(number, by: "bea", app: world.app))
            #expect(try await !world.store.webhooks.remove(number, by: "bea", app: world.app))
            #expect(try await world.enqueue() == 0)
            #expect(try await world.service().deliver() == 0)
            #expect(receiver.connections == 0)
            #expect(try await world.store.webhooks.all(app: world.app).isEmpty)
            #expect(
                try await world.lines("select url, secret, added_by, removed_by from census.webhook") == [
                    "∅|∅|anna|bea"
                ])
            #expect(
                try await world.lines("select given_up_at is null, last_error from census.webhook_delivery")
                    == ["f|the webhook was removed"])
        }
    }

    /// A night commits its message just after the removal.
    @Test func `a message queued for a removed webhook is given up`() async throws {
        try await WebhookWorld.with { world in
            let (number, _) = try await world.add("http://127.0.0.1:9/")
            _ = try await world.store.webhooks.remove(number, by: "bea", app: world.app)
            _ = try await world.lines(
                """
                insert into census.webhook_delivery (webhook_number, message_id, type, payload, next_attempt_at)
                values (\(number), 'msg_1', 'webhook.test', '{}', now())
                """)
            #expect(try await world.service().deliver() == 1)
            #expect(
                try await world.lines("select given_up_at is null, last_error from census.webhook_delivery")
                    == ["f|the webhook was removed"])
        }
    }

    @Test func `410 Gone stops a webhook until a test succeeds`() async throws {
        try await WebhookWorld.with { world in
            let receiver = try Receiver(.status(410))
            defer { receiver.close() }
            let (number, _) = try await world.add(receiver)
            for _ in 0..<3 { try await world.enqueue() }
            try await world.service().deliver()
            #expect(receiver.requests.count == 1)
            #expect(try await world.enqueue() == 0)
            var webhook = try #require(try await world.store.webhooks.all(app: world.app).first)
            #expect(webhook.goneAt != nil && webhook.waiting == 0 && webhook.givenUp == 3)

            receiver.answer(.status(200))
            let message = WebhookMessage(.test(appID: world.app.id), at: .now)
            let test = try #require(try await world.store.webhooks.begin(message, to: number, app: world.app))
            let result = await WebhookSender(version: "1", limit: .seconds(100)).send(
                test, to: try #require(test.target))
            try await world.store.webhooks.finish(
                test, DeliverySchedule.outcome(of: result, attempt: test.attempt, chance: 0))
            webhook = try #require(try await world.store.webhooks.all(app: world.app).first)
            #expect(webhook.goneAt == nil && webhook.failingSince == nil)
            #expect(try await world.enqueue() == 1)
        }
    }

    @Test func `an app can't list, remove or message another app's webhooks`() async throws {
        try await WebhookWorld.with { world in
            let receiver = try Receiver()
            defer { receiver.close() }
            let (number, _) = try await world.add(receiver)
            _ = try await world.store.apps.add("com.example.other")
            let other = try await world.store.apps.app("com.example.other")
            #expect(try await world.store.webhooks.all(app: other).isEmpty)
            #expect(try await !world.store.webhooks.remove(number, by: "bea", app: other))
            let message = WebhookMessage(.test(appID: other.id), at: .now)
            #expect(try await world.store.webhooks.begin(message, to: number, app: other) == nil)
            let told = try await world.store.database.transaction("test") { transaction in
                try await transaction.enqueue(.opened, appNumber: other.number)
            }
            #expect(told == 0)
        }
    }

    @Test func `a hanging receiver delays no other, and each round tries each message once`() async throws {
        try await WebhookWorld.with { world in
            let (silent, good) = (try Receiver(.nothing), try Receiver())
            defer { [silent, good].forEach { $0.close() } }
            try await world.add(silent)
            try await world.add(good)
            for _ in 0..<3 { try await world.enqueue() }
            let sender = WebhookSender(version: "1", limit: .seconds(2))
            // The time is fixed, so that a busy machine doesn't make the first attempt's retry due.
            try await world.service(sender).deliver(now: world.now(in: .seconds(1)))
            #expect(good.requests.count == 3)
            #expect(silent.requests.count == 3)
            let failing = try await world.store.webhooks.all(app: world.app).map(\.lastError)
            #expect(failing == ["it did not answer in time", nil])
            let health = try await world.store.webhooks.health()
            #expect(health.waiting == 3 && health.failing == 1)
        }
    }

    /// All webhooks of a hanging host, and all messages that wait for one of them, could occupy every slot.
    @Test func `a hanging receiver occupies a quarter of the slots, however many webhooks lead to it`() async throws {
        try await WebhookWorld.with { world in
            let (silent, good) = (try Receiver(.nothing), try Receiver())
            defer { [silent, good].forEach { $0.close() } }
            for _ in 0..<20 { try await world.add(silent) }
            try await world.add(good)
            for _ in 0..<2 { try await world.enqueue() }
            let now = try await world.now(in: .seconds(1))
            let service = world.service(WebhookSender(version: "1", limit: .seconds(60)))
            let delivering = Task { try await service.deliver(now: now) }
            #expect(try await eventually { good.requests.count == 2 && silent.requests.count == 4 })
            // The service polls every second, and starts nothing more meanwhile.
            try await Task.sleep(for: .seconds(3))
            #expect(silent.requests.count == 4)
            delivering.cancel()
            _ = await delivering.result
        }
    }

    @Test func `logs and stored errors contain no address, secret or message`() async throws {
        try await WebhookWorld.with { world in
            let receiver = try Receiver(.bytes("HTTP/1.1 301 Moved\r\nlocation: http://a.example/hidden-path\r\n\r\n"))
            defer { receiver.close() }
            let (_, secret) = try await world.add(receiver, path: "/hidden-path?token=hidden-token")
            // Each of these fails in a different way.
            try await world.add("http://nowhere.invalid/hidden-path?token=hidden-token")
            try await world.add("http://127.0.0.1:1/hidden-path?token=hidden-token")
            try await world.add("http://10.0.0.1/hidden-path?token=hidden-token", allowsPrivate: false)
            try await world.add("https://127.0.0.1:\(receiver.port)/hidden-path?token=hidden-token")
            try await world.enqueue()
            for answer: Receiver.Answer in [
                .status(500), .status(410), .status(200), .bytes("what?\r\n\r\n"), .bytes(""), .nothing,
            ] {
                let sender = WebhookSender(version: "1", limit: .milliseconds(300))
                receiver.answer(answer)
                try await world.enqueue()
                try await world.service(sender).deliver()
            }
            let kept = try await world.lines(
                "select last_error from census.webhook union all select last_error from census.webhook_delivery")
            let told = world.logs.text + kept.joined()
            #expect(told.contains("127.0.0.1") && told.contains("webhook was not delivered"))
            for word in ["hidden", "token", secret.text, "whsec_", "20.12", "/census"] {
                #expect(!told.contains(word), "\(word)")
            }
            #expect("\(secret)" == "whsec_…")
        }
    }

    @Test func `deliveries are kept while they wait, and for six weeks after they end`() async throws {
        try await WebhookWorld.with { world in
            let receiver = try Receiver()
            defer { receiver.close() }
            let (number, _) = try await world.add(receiver)
            try await world.enqueue()
            try await world.service().deliver()
            receiver.answer(.status(500))
            try await world.enqueue()
            try await world.service().deliver()
            func kept(in time: Duration) async throws -> Int {
                try await world.store.webhooks.sweep(now: world.now(in: time))
                return try await world.lines("select from census.webhook_delivery").count
            }
            #expect(try await kept(in: .days(41)) == 2)
            #expect(try await kept(in: .days(43)) == 1)
            _ = try await world.store.webhooks.remove(number, by: "anna", app: world.app)
            #expect(try await kept(in: .days(43)) == 0)
        }
    }

    @Test func `the service delivers a queued message soon, and ends when it is cancelled`() async throws {
        try await WebhookWorld.with { world in
            let receiver = try Receiver()
            defer { receiver.close() }
            try await world.add(receiver)
            let running = Task { try await world.service().run() }
            try await world.enqueue()
            #expect(try await eventually { !receiver.requests.isEmpty })
            running.cancel()
            try await running.value
        }
    }
}
