import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Sending` {
    private let now = Date(timeIntervalSince1970: 1_790_000_000)

    private func verdict(_ status: Int?, count: Int = 10) -> (Sender.Verdict, Sender) {
        var sender = Sender()
        let answer = status.map { Answer(status: $0) }
        return (sender.judge(answer, count: count, now: now, fraction: 0.5), sender)
    }

    @Test(arguments: [400, 415, 422]) func `drops what can never succeed`(status: Int) {
        let (verdict, sender) = verdict(status)
        guard case .dropped(let drop) = verdict else { return #expect(Bool(false), "\(verdict)") }
        #expect(drop.events == 10 && drop.status == status)
        #expect(sender.pause.rest(now: now) == 0)
    }

    /// 200 comes from the login page of a hotel, 301 from a proxy, 404 from a wrong address.
    @Test(arguments: [
        nil, 100, 200, 204, 301, 302, 401, 403, 404, 405, 408, 409, 425, 429, 451, 500, 502, 503, 504, 599,
    ])
    func `keeps everything else, and pauses`(status: Int?) {
        let (verdict, sender) = verdict(status)
        #expect(verdict == .kept)
        #expect(sender.pause.rest(now: now) > 0)
    }

    @Test func `halves a batch that is too large, down to one event, which is dropped`() {
        var sender = Sender()
        var count = 100
        var sizes: [Int] = []
        while sender.judge(Answer(status: 413), count: count, now: now, fraction: 0) == .halved {
            count = sender.limit
            sizes.append(count)
        }
        #expect(sizes == [50, 25, 12, 6, 3, 1])
        #expect(sender.limit == 1)
    }

    @Test func `begins again after success, and tells what was refused`() {
        var sender = Sender()
        for _ in 0..<5 { _ = sender.judge(nil, count: 1, now: now, fraction: 1) }
        let body = #"{"accepted": 1, "rejected": [{"index": 0, "id": "e1", "code": "too_old", "message": "old"}]}"#
        let verdict = sender.judge(
            Answer(status: 202, body: Data(body.utf8)), count: 2, now: now, fraction: 1)
        #expect(verdict == .delivered(refused: [Refusal(id: "e1", code: "too_old", message: "old")]))
        #expect(sender.pause == Pause())
    }

    @Test func `takes a 202 for what it is, whatever its body says`() {
        var sender = Sender()
        let verdict = sender.judge(
            Answer(status: 202, body: Data("<html>".utf8)), count: 2, now: now, fraction: 1)
        #expect(verdict == .delivered(refused: []))
    }

    @Test(arguments: UInt64(0)..<200) func `pauses within its bounds, whatever it meets`(seed: UInt64) {
        var random = Seeded(seed)
        var sender = Sender()
        var failures = 0
        for _ in 0..<50 {
            let asked = random.chance(30) ? random.below(4000) : nil
            let headers = asked.map { ["retry-after": String($0)] } ?? [:]
            let fraction = random.fraction()
            _ = sender.judge(Answer(status: 503, headers: headers), count: 1, now: now, fraction: fraction)
            failures += 1
            let bound = min(2 * pow(2, Double(failures - 1)), 900)
            let rest = sender.pause.rest(now: now)
            #expect(rest >= Double(asked ?? 0) && rest <= Double(asked ?? 0) + bound)
            // Kept over a restart.
            if random.chance(30) { sender = Sender(pause: sender.pause) }
            if random.chance(10) {
                _ = sender.judge(Answer(status: 202), count: 1, now: now, fraction: 0)
                failures = 0
            }
        }
    }

    @Test func `doubles from 2 seconds to 15 minutes`() {
        var pause = Pause()
        var lengths: [Double] = []
        for _ in 0..<12 {
            pause = pause.lengthened(asked: nil, now: now, fraction: 1)
            lengths.append(pause.length)
        }
        #expect(lengths == [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
    }

    @Test(arguments: [-1e9, -86400.0, -1, 0, 3, 1e9])
    func `never pauses longer than it was meant to, wherever the clock jumps`(jump: Double) {
        var sender = Sender(pause: Pause().lengthened(asked: 100, now: now, fraction: 0.5))
        let later = now.addingTimeInterval(jump)
        #expect((0...101).contains(sender.rest(now: later)))
        // It passes from there, also over a restart.
        sender = Sender(pause: sender.pause)
        #expect(sender.rest(now: later.addingTimeInterval(101)) == 0)
    }

    @Test(arguments: [
        ("120", 120.0), ("0", 0), ("-5", 0), ("nan", nil), ("soon", nil), ("1.5", 1.5),
        ("Tue, 22 Sep 2026 14:14:20 GMT", 60), ("Tue, 22 Sep 2026 14:12:20 GMT", 0),
    ])
    func `reads Retry-After in both forms`(text: String, seconds: Double?) throws {
        let now = try #require(HTTPDate.parse("Tue, 22 Sep 2026 14:13:20 GMT"))
        #expect(Answer(status: 503, headers: ["retry-after": text]).retryAfter(now: now) == seconds)
    }

    @Test func `gives in to no server that wants more than a day`() {
        var sender = Sender()
        _ = sender.judge(
            Answer(status: 503, headers: ["retry-after": "1e300"]), count: 1, now: now, fraction: 0)
        #expect(sender.pause.rest(now: now) == 24 * 3600)
    }
}
