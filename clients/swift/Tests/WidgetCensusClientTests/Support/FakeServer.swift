import Foundation

@testable import WidgetCensusClient

/// A server that remembers what arrived, and answers as it is told to.
final class FakeServer: Transport {
    enum Mood: Hashable, Sendable {
        case open
        /// Answers with this status, and Retry-After if there is one.
        case refuses(Int, after: Int?)
        /// Answers with this status and body.
        case says(Int, String)
        /// The request never arrives.
        case cutBefore
        /// The request arrives, and its answer is lost.
        case cutAfter
        /// 413 for more events than this.
        case narrow(Int)
    }

    struct Landed: Hashable {
        var event: Event
        var context: EventContext
        var device: String
        var times: Int
    }

    struct State {
        var mood = Mood.open
        var landed: [String: Landed] = [:]
        /// Ids of which another content came the second time, or another device.
        var conflicts: Set<String> = []
        /// Which device sent what, by the ids of events and of installations; also of what was forgotten since.
        var senders: [String: Set<String>] = [:]
        var forgotten: Set<String> = []
        var batches: [Int] = []
        var evicted = 0
        var asked: [Date] = []
        var requests: [Request] = []
        var inFlight = 0
        var worst = 0
        /// Answers to questions about the gallery.
        var policy: Answer?
        /// How long an answer takes.
        var thinks = Duration.zero
    }

    let state = Locked(State())
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date = { Date() }) { self.now = now }

    var mood: Mood {
        get { state.withValue { $0.mood } }
        set { state.withValue { $0.mood = newValue } }
    }

    var landed: [String: Landed] { state.withValue { $0.landed } }

    static let cut = NoAnswer(code: "NSURLErrorDomain -1005", message: "The connection was lost.")

    func answer(to request: Request) async throws(NoAnswer) -> Answer {
        state.withValue { state in
            state.inFlight += 1
            state.worst = max(state.worst, state.inFlight)
            state.asked.append(now())
            state.requests.append(request)
        }
        defer { state.withValue { $0.inFlight -= 1 } }
        do {
            try await Task.sleep(for: state.withValue { $0.thinks })
        } catch {
            throw FakeServer.cut
        }
        guard let answer = reply(to: request) else { throw FakeServer.cut }
        return answer
    }

    private func reply(to request: Request) -> Answer? {
        switch mood {
        case .cutBefore: return nil
        case .refuses(let status, let after):
            return Answer(status: status, headers: after.map { ["retry-after": String($0)] } ?? [:])
        case .says(let status, let body): return Answer(status: status, body: Data(body.utf8))
        case .narrow, .open, .cutAfter: break
        }
        if request.method == "DELETE" { return forget(request.headers["Census-Device"] ?? "") }
        if request.path != "/v1/events" { return mood == .cutAfter ? nil : state.withValue { $0.policy } }
        guard let batch = WireBatch(request) else { return Answer(status: 400) }
        if case .narrow(let limit) = mood, batch.events.count > limit { return Answer(status: 413) }
        take(batch)
        return mood == .cutAfter ? nil : Answer(status: 202, headers: [:], body: Data(#"{"accepted": 1}"#.utf8))
    }

    private func forget(_ device: String) -> Answer? {
        state.withValue { state in
            state.forgotten.insert(device)
            state.landed = state.landed.filter { $0.value.device != device }
        }
        return mood == .cutAfter ? nil : Answer(status: 204, headers: ["census-device": device])
    }

    private func take(_ batch: WireBatch) {
        state.withValue { state in
            state.batches.append(batch.events.count)
            state.evicted += batch.evicted ?? 0
            for id in batch.events.map(\.id) + [batch.installation?.id].compactMap(\.self) {
                state.senders[id, default: []].insert(batch.device.id)
            }
            if state.forgotten.contains(batch.device.id) { return }
            for event in batch.events {
                let new = Landed(event: event, context: batch.context, device: batch.device.id, times: 1)
                guard let known = state.landed[event.id] else {
                    state.landed[event.id] = new
                    continue
                }
                if known.event != event || known.context != batch.context { state.conflicts.insert(event.id) }
                state.landed[event.id]?.times += 1
            }
        }
    }
}

/// A batch as it comes over the wire.
struct WireBatch: Decodable {
    struct Device: Decodable { var id: String, platform: String, osVersion: String?, osBuild: String? }

    var sentAt: Date
    var app: EventContext.App
    var device: Device
    var installation: EventContext.Installation?
    var galleryPolicy: Int?
    var evicted: Int?
    var events: [Event]

    init?(_ request: Request) {
        guard var body = request.body else { return nil }
        if request.headers["Content-Encoding"] == "gzip" {
            guard let inflated = Inflated.data(body) else { return nil }
            body = inflated
        }
        guard let batch = try? JSONDecoder.ofWire.decode(WireBatch.self, from: body) else { return nil }
        self = batch
    }

    var context: EventContext {
        EventContext(
            app: app,
            device: .init(platform: device.platform, osVersion: device.osVersion, osBuild: device.osBuild),
            installation: installation, galleryPolicy: galleryPolicy)
    }
}
