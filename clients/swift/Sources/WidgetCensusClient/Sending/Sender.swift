import Foundation

/// Decides when to send, and what a response means. It is a pure value, without clock, random numbers or files.
struct Sender: Hashable, Sendable {
    private(set) var pause: Pause
    /// The most events per batch. After a 413 it stays smaller until the process ends, because the cause will not go away soon.
    private(set) var limit = Batch.maximalEvents

    init(pause: Pause = Pause()) { self.pause = pause }

    /// Returns the seconds to wait before the next request.
    mutating func rest(now: Date) -> TimeInterval {
        pause = pause.begun(by: now)
        return pause.rest(now: now)
    }

    /// What becomes of a batch.
    enum Verdict: Hashable, Sendable {
        /// The server has it. It is removed, including the rejected events.
        case delivered(refused: [Refusal])
        /// The same bytes can never succeed, so it is removed.
        case dropped(Drop)
        /// It stays, and the next batch is half as large.
        case halved
        /// It stays, and is sent again after a pause.
        case kept
    }

    /// - Parameters:
    ///   - answer: nil if there was no response.
    ///   - count: the number of events in the batch.
    mutating func judge(_ answer: Answer?, count: Int, now: Date, fraction: Double) -> Verdict {
        switch (answer?.status, answer) {
        case (202, let answer?):
            pause = Pause()
            return .delivered(refused: Refusal.list(answer))
        case (413, _) where count > 1:
            pause = Pause()
            limit = max(count / 2, 1)
            return .halved
        case (400, let answer?), (413, let answer?), (415, let answer?), (422, let answer?):
            pause = Pause()
            return .dropped(Drop(events: count, answer: answer))
        default:
            // Also for 401 and 403, because the key can be fixed at the server. And for a 200, which is a hotel's login page.
            let asked = answer?.retryAfter(now: now)
            pause = pause.lengthened(asked: asked, now: now, fraction: fraction)
            return .kept
        }
    }

    /// Returns whether the server has erased a device. Its response names the device, because some Wi-Fi networks return 204
    /// for everything.
    mutating func isForgotten(_ device: String, by answer: Answer?, now: Date, fraction: Double) -> Bool {
        if let answer, answer.status == 204, answer.headers["census-device"] == device {
            pause = Pause()
            return true
        }
        pause = pause.lengthened(asked: answer?.retryAfter(now: now), now: now, fraction: fraction)
        return false
    }
}

/// An event that the server rejected.
struct Refusal: Hashable, Decodable, Sendable {
    var id: String
    var code: String
    var message: String?

    static func list(_ answer: Answer) -> [Refusal] {
        struct Outcome: Decodable { var rejected: [Refusal] }
        return (try? JSONDecoder.ofWire.decode(Outcome.self, from: answer.body))?.rejected ?? []
    }
}

/// A batch that the server will never accept.
struct Drop: Hashable, Sendable {
    var events: Int
    var status: Int
    var explanation: Explanation
    /// The events that the server names. A batch can be dropped because it rejects each of them.
    var refused: [Refusal]

    init(events: Int, answer: Answer) {
        self.events = events
        status = answer.status
        explanation = answer.explanation
        refused = Refusal.list(answer)
    }
}
