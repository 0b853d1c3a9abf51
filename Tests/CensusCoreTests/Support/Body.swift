@testable import CensusCore

/// A body of `POST /v1/events`, valid until a test spoils a part of it.
struct Body {
    static let received = Timestamp(rfc3339: "2026-11-21T10:00:00Z") ?? Timestamp(seconds: 0)

    var sentAt = #""2026-11-21T10:00:00Z""#
    var app = #"{"id":"com.example.weather","version":"20.12.1"}"#
    var device = #"{"id":"6F1D","platform":"ios"}"#
    var installation = #"{"id":"A0C2"}"#
    var more = ""
    var events: [String] = [Body.event()]

    var text: String {
        #"{"sent_at":\#(sentAt),"app":\#(app),"device":\#(device),"installation":\#(installation)\#(more),"#
            + #""events":[\#(events.joined(separator: ","))]}"#
    }

    func decoded(limits: Limits = Limits()) throws(EnvelopeError) -> Batch {
        try BatchDecoder(limits: limits).decode(Array(text.utf8), received: Body.received)
    }

    /// One event, with `content` after its id, type and time.
    static func event(
        id: String = "1", type: String = "widget_installed", at: String = "2026-11-21T09:59:58Z",
        _ content: String = #""widget":{"kind":"weather","family":"systemSmall"}"#
    ) -> String {
        #"{"id":"\#(id)","type":"\#(type)","at":"\#(at)",\#(content)}"#
    }

    static func report(id: String = "1", _ widgets: String) -> String {
        event(id: id, type: "widgets_reported", #""widgets":[\#(widgets)]"#)
    }

    /// The result for one event between two valid ones, which must be accepted.
    static func verdict(on event: String, limits: Limits = Limits()) throws -> Result<BatchEvent, RefusedEvent> {
        let batch = try Body(events: [Body.event(id: "before"), event, Body.event(id: "after")]).decoded(limits: limits)
        guard case .success = batch.events[0], case .success = batch.events[2] else { throw NeighbourLost() }
        return batch.events[1]
    }

    struct NeighbourLost: Error {}
}

extension Result where Success == BatchEvent, Failure == RefusedEvent {
    /// A rejected event's code, or `accepted`.
    var code: String {
        switch self {
        case .success: "accepted"
        case .failure(let refused): refused.refusal.code
        }
    }
}
