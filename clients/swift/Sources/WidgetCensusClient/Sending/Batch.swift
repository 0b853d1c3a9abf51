import Foundation

/// The events of one request, all of one context.
struct Batch: Hashable, Sendable {
    var names: [EventName]
    var context: EventContext
    var events: [Event]
    /// The number of events evicted since the last batch that arrived.
    var evicted = 0

    static let maximalEvents = 100
    /// Before gzip. The server accepts 8 MiB, but phones on bad networks should lose little when the connection breaks.
    static let maximalBytes = 256 << 10

    /// Returns the oldest event with as many others of its context as fit.
    ///
    /// - Parameters:
    ///   - waiting: sorted.
    ///   - limit: the most events.
    ///   - event: reads an event; nil if it can't be sent now (damaged, or from a newer version).
    static func oldest(
        of waiting: [EventName], limit: Int, event: (EventName) throws(FileFailure) -> QueuedEvent?
    ) throws(FileFailure) -> Batch? {
        var batch: Batch?
        var bytes = 0
        for name in waiting {
            if let batch, batch.events.count >= limit || bytes + name.bytes > maximalBytes { break }
            guard let queued = try event(name), queued.context == batch?.context ?? queued.context else { continue }
            if batch == nil { batch = Batch(names: [], context: queued.context, events: []) }
            batch?.names.append(name)
            batch?.events.append(queued.event)
            bytes += name.bytes
        }
        return batch
    }

    /// - Parameter now: the time of this attempt, with which the server corrects a wrong clock.
    func request(device: String, now: Date) -> Request? {
        let envelope = Envelope(
            sentAt: now, app: context.app, device: .init(id: device, context.device),
            installation: context.installation, galleryPolicy: context.galleryPolicy,
            evicted: evicted == 0 ? nil : evicted, events: events)
        guard let body = try? JSONEncoder.ofWire.encode(envelope) else { return nil }
        var request = Request(
            method: "POST", path: "/v1/events", headers: ["Content-Type": "application/json"], body: body)
        if body.count > Batch.smallest, let compressed = Gzip.compress(body) {
            request.body = compressed
            request.headers["Content-Encoding"] = "gzip"
        }
        return request
    }

    /// Below this size, gzip doesn't save a packet.
    private static let smallest = 1 << 10
}

private struct Envelope: Encodable {
    var sentAt: Date
    var app: EventContext.App
    var device: Device
    var installation: EventContext.Installation?
    var galleryPolicy: Int?
    var evicted: Int?
    var events: [Event]

    struct Device: Encodable {
        var id: String
        var platform: String
        var osVersion: String?
        var osBuild: String?

        init(id: String, _ device: EventContext.Device) {
            self.id = id
            platform = device.platform
            osVersion = device.osVersion
            osBuild = device.osBuild
        }
    }
}
