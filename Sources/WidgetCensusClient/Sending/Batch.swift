import Foundation

/// What one request carries: events of one context.
struct Batch: Hashable, Sendable {
    var names: [EventName]
    var context: EventContext
    var events: [Event]
    /// How many events were evicted since the last batch that arrived.
    var evicted = 0

    static let maximalEvents = 100
    /// Before gzip. The server takes 8 MiB; phones on bad networks should lose little when the connection is cut.
    static let maximalBytes = 256 << 10

    /// The oldest event that waits, and as many of its context as fit.
    ///
    /// - Parameters:
    ///   - waiting: sorted; what can't be sent now (damaged, newer) is nil.
    ///   - limit: at most this many events.
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

    /// - Parameter now: stamped at every attempt, so that the server can correct a wrong clock.
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

    /// Below, gzip saves no packet.
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
