import CensusCore
import CensusStore
import Testing

@testable import Webhooks

@Suite struct `Delivery schedule` {
    private func retry(
        _ result: SendResult = .answered(status: 500, retryAfter: nil), attempt: Int, chance: Double = 0.5
    ) -> Duration? {
        guard case .failed(_, _, let retryIn) = DeliverySchedule.outcome(of: result, attempt: attempt, chance: chance)
        else { return nil }
        return retryIn
    }

    @Test func `a message gets eight attempts in 31 hours, and is then given up`() {
        let delays = (1...7).compactMap { retry(attempt: $0) }
        #expect(delays == DeliverySchedule.delays)
        #expect(retry(attempt: 8) == nil)
        #expect(retry(attempt: 1_000) == nil)
        #expect(delays.reduce(.zero, +) == .hours(31) + .minutes(35) + .seconds(5))
    }

    @Test func `jitter changes a delay by at most a tenth`() throws {
        for (index, delay) in DeliverySchedule.delays.enumerated() {
            for chance in [0, 0.25, 0.999_999] {
                let share = try #require(retry(attempt: index + 1, chance: chance)) / delay
                #expect(abs(share - (0.9 + 0.2 * chance)) < 1e-6)
            }
        }
    }

    @Test(arguments: [429, 503, 500])
    func `a receiver can ask for more time, up to a day, but never for less`(status: Int) {
        func retry(_ asked: Duration) -> Duration? {
            self.retry(.answered(status: status, retryAfter: asked), attempt: 2)
        }
        #expect(retry(.zero) == .minutes(5))
        #expect(retry(.hours(1)) == .hours(1))
        #expect(retry(.days(400)) == .days(1))
    }

    @Test(arguments: [
        ("0", 0), ("120", 120), ("999999999", 999_999_999), ("Mon, 18 Mar 2030 04:13:20 GMT", 1_200),
        ("Wed, 01 Jan 2020 00:00:00 GMT", 0),
    ])
    func `Retry-After is read as seconds or as a date`(text: String, seconds: Int64) throws {
        let now = try #require(Timestamp(rfc3339: "2030-03-18T03:53:20Z"))
        #expect(Duration(retryAfter: text, now: now) == .seconds(seconds))
    }

    @Test(arguments: [
        "", "-1", "1.5", "soon", "9999999999", "Wed, 18 Mar 2030 04:13:20", "a b c d e GMT", "1 2 3 4 5 GMT",
    ])
    func `an invalid Retry-After is ignored`(text: String) {
        #expect(Duration(retryAfter: text, now: Timestamp(seconds: 0)) == nil)
    }

    @Test(arguments: [200, 201, 202, 204, 299])
    func `a 2xx status means delivered`(status: Int) {
        let result = SendResult.answered(status: status, retryAfter: nil)
        #expect(DeliverySchedule.outcome(of: result, attempt: 1, chance: 0) == .delivered(status: status))
    }

    @Test func `410 ends all attempts`() {
        let outcome = DeliverySchedule.outcome(of: .answered(status: 410, retryAfter: .hours(1)), attempt: 1, chance: 0)
        #expect(outcome == .gone(status: 410, reason: "it answered 410 Gone"))
    }

    @Test(arguments: [101, 199, 300, 301, 302, 303, 307, 308, 400, 401, 404, 409, 429, 500, 502, 599])
    func `any other status is retried, and a redirect says why`(status: Int) {
        let outcome = DeliverySchedule.outcome(of: .answered(status: status, retryAfter: nil), attempt: 1, chance: 0.5)
        guard case .failed(let told, let reason, let retryIn) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(told == status && retryIn == .seconds(5))
        #expect(reason.contains("it answered \(status)"))
        #expect(reason.contains("redirect") == (300..<400).contains(status))
    }
}
