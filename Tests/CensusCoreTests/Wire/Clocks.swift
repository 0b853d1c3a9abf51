import Testing

@testable import CensusCore

/// The device's times are corrected by `received - sent_at` only past 5 minutes. The batches are received at 10:00:00.
@Suite struct `Clock correction` {
    private func batch(sentAt: String, at: String = "2026-11-21T09:30:00Z") throws -> Batch {
        var body = Body(events: [Body.event(at: at)])
        body.sentAt = "\"\(sentAt)\""
        body.device = #"{"id":"d","platform":"ios","booted_at":"2026-11-18T07:00:00Z"}"#
        body.installation = #"{"id":"i","first_launched_at":"2026-11-20T18:00:00Z"}"#
        return try body.decoded()
    }

    @Test(arguments: ["2026-11-21T09:55:00Z", "2026-11-21T09:55:01Z", "2026-11-21T10:05:00Z", "2026-11-21T10:04:59Z"])
    func `times are kept if the clock is at most five minutes off`(sentAt: String) throws {
        let batch = try batch(sentAt: sentAt)
        let event = try batch.events[0].get()
        #expect(event.at.description == "2026-11-21T09:30:00Z" && event.occurredAt == event.at)
        #expect(batch.circumstances.bootedAt?.description == "2026-11-18T07:00:00Z")
        #expect(batch.circumstances.firstLaunchedAt?.description == "2026-11-20T18:00:00Z")
    }

    @Test(arguments: [
        ("2026-11-21T09:54:59Z", Duration.seconds(301)), ("2026-11-21T10:05:01Z", .seconds(-301)),
        ("2026-11-21T09:54:59.999999Z", .seconds(300) + .microseconds(1)), ("2026-11-21T01:00:00Z", .hours(9)),
        ("2026-11-23T10:00:00Z", .days(-2)),
    ]) func `every time except the one as sent is shifted if the clock is more than five minutes off`(
        sentAt: String, offset: Duration
    ) throws {
        let sent = try #require(Timestamp(rfc3339: sentAt)) - .minutes(30)
        let batch = try batch(sentAt: sentAt, at: sent.description)
        let event = try batch.events[0].get()
        #expect(event.occurredAt == sent)
        #expect(event.at == Body.received - .minutes(30))
        #expect(batch.circumstances.bootedAt == Timestamp(rfc3339: "2026-11-18T07:00:00Z").map { $0 + offset })
        #expect(batch.circumstances.firstLaunchedAt == Timestamp(rfc3339: "2026-11-20T18:00:00Z").map { $0 + offset })
    }

    @Test func `a time is judged after its correction`() throws {
        // Four years behind but fresh; then right by its own clock but from the future.
        #expect(try batch(sentAt: "2022-11-21T10:00:00Z", at: "2022-11-21T09:00:00Z").events[0].code == "accepted")
        #expect(try batch(sentAt: "2026-11-21T08:00:00Z", at: "2026-11-21T09:30:00Z").events[0].code == "in_future")
        #expect(try batch(sentAt: "2027-03-01T10:00:00Z", at: "2026-11-21T09:30:00Z").events[0].code == "too_old")
    }

    @Test func `the ends of the calendar are corrected without overflow`() throws {
        for sentAt in ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"] {
            #expect(try batch(sentAt: sentAt, at: sentAt).events[0].code == "accepted")
        }
    }
}
