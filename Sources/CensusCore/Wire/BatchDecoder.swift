/// Decodes the body of a batch (docs/reference/contract.md): the envelope as a whole, and the events one by one.
public struct BatchDecoder: Sendable {
    public var limits: Limits

    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// - Parameters:
    ///   - body: inflated.
    ///   - received: the server's clock when the body arrived.
    ///   - isOverdue: called before each event. Once it returns true, the body counts as too large.
    /// - Throws: ``EnvelopeError``. An invalid event does not throw; it is among the events, as a failure.
    /// - Complexity: O(n) in the bytes of the body, except for sorting lists of widgets.
    public func decode(
        _ body: [UInt8], received: Timestamp, isOverdue: () -> Bool = { false }
    ) throws(EnvelopeError) -> Batch {
        try decode(try document(body), received: received, isOverdue)
    }

    /// Decodes a body from an archive. An additional field, `received_at`, is the time at which the server first received it.
    ///
    /// - Parameter now: can be up to an hour behind the clock that wrote `received_at`.
    /// - Throws: ``EnvelopeError``, also if `received_at` is in the future, or before 2009, as in an export that wrote 0 for a
    ///   missing time. Events corrected by that would make the next night close every day since then.
    public func decodeArchived(
        _ body: [UInt8], now: Timestamp = .now
    ) throws(EnvelopeError) -> (batch: Batch, received: Timestamp) {
        let document = try document(body)
        var envelope = EnvelopeReader(document: document, limits: limits)
        guard let received = envelope.time("received_at", of: JSONDocument.root, at: "") else {
            throw envelope.error ?? .unreadable
        }
        guard received >= .firstWidgets else {
            throw .malformed("`received_at` is before 2009, when phones had no widgets yet", at: "/received_at")
        }
        guard received <= now + .hours(1) else {
            throw .malformed(
                "`received_at` is in the future; it must be when the server first received the batch",
                at: "/received_at")
        }
        return (try decode(document, received: received) { false }, received)
    }

    private func document(_ body: [UInt8]) throws(EnvelopeError) -> JSONDocument {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(body, maximumDepth: limits.jsonDepth)
        } catch {
            throw EnvelopeError(error)
        }
        let envelope = "an object with `sent_at`, `app`, `device`, `installation` and the array `events`"
        guard document.kind(at: JSONDocument.root) == .object else {
            throw .malformed("the body must be \(envelope)", at: "")
        }
        if document.member("events", of: JSONDocument.root) == nil,
            let type = document.member("type", of: JSONDocument.root).flatMap(document.string),
            EventType(rawValue: type) != nil
        {
            throw .malformed(
                "the body is a single event; wrap it in \(envelope)", at: "")
        }
        return document
    }

    private func decode(
        _ document: JSONDocument, received: Timestamp, _ isOverdue: () -> Bool
    ) throws(EnvelopeError) -> Batch {
        let root = JSONDocument.root
        var envelope = EnvelopeReader(document: document, limits: limits)
        let sentAt = envelope.time("sent_at", of: root, at: "")
        let clock = ClockCorrection(
            sentAt: sentAt ?? received, received: received, tolerance: limits.clockTolerance)
        let (app, device) = (envelope.object("app"), envelope.object("device"))
        let installation = envelope.object("installation")
        let platform = envelope.platform(of: device, at: "/device")
        let appVersion = envelope.string("version", of: app, at: "/app")
        let circumstances = Observation.Circumstances(
            platform: platform ?? .ios,
            osVersion: envelope.optionalString("os_version", of: device, at: "/device"),
            osBuild: envelope.optionalString("os_build", of: device, at: "/device"),
            appVersion: appVersion ?? "",
            channel: envelope.optionalString("channel", of: app, at: "/app")
                ?? Observation.Circumstances.countedChannel,
            bootedAt: clock.plausible(envelope.optionalTime("booted_at", of: device, at: "/device")),
            rebooted: envelope.optionalBoolean("rebooted", of: installation, at: "/installation"),
            firstLaunchedAt: clock.plausible(
                envelope.optionalTime("first_launched_at", of: installation, at: "/installation")),
            galleryPolicy: envelope.optionalInteger("gallery_policy", of: root, at: ""))
        let appID = envelope.string("id", of: app, at: "/app")
        let deviceID = envelope.rawID(of: device, at: "/device")
        let installationID = envelope.rawID(of: installation, at: "/installation")
        let list = envelope.array("events")
        guard envelope.error == nil, let list, let appID, let deviceID, let installationID else {
            throw envelope.error ?? .unreadable
        }
        let events = try events(list, in: document, clock: clock, received: received, isOverdue)
        var batch = Batch(
            appID: appID, deviceID: deviceID, installationID: installationID, circumstances: circumstances,
            events: events, warnings: [])
        batch.warnings = BatchReview(document, batch, limits: limits).warnings
        return batch
    }

    private func events(
        _ list: JSONDocument.Index, in document: JSONDocument, clock: ClockCorrection, received: Timestamp,
        _ isOverdue: () -> Bool
    ) throws(EnvelopeError) -> [Result<BatchEvent, RefusedEvent>] {
        let elements = document.elements(of: list)
        guard !elements.isEmpty else {
            throw EnvelopeError(
                verdict: .unusable, code: "no_events",
                message: "`events` is empty; if there are no events, send nothing", pointer: "/events")
        }
        guard elements.count <= limits.eventsPerBatch else {
            throw EnvelopeError(
                verdict: .tooLarge, code: "too_many_events",
                message: "the batch has \(elements.count) events, and at most \(limits.eventsPerBatch) are allowed; "
                    + "split it in half",
                pointer: "/events")
        }
        let reader = EventReader(document: document, limits: limits, clock: clock, received: received)
        var events: [Result<BatchEvent, RefusedEvent>] = []
        events.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard !isOverdue() else {
                throw EnvelopeError(
                    verdict: .tooLarge, code: "body_too_large",
                    message: "the batch takes too long to decode; split it in half", pointer: "/events")
            }
            do throws(Refusal) {
                events.append(.success(try reader.event(at: element, index: index)))
            } catch {
                events.append(
                    .failure(
                        RefusedEvent(
                            index: index, id: reader.idIfReadable(at: element), refusal: error,
                            source: Array(document.source(at: element)))))
            }
        }
        return events
    }
}

/// Corrects the device's clock if it differs from the server's by more than network delays could explain, as
/// docs/reference/contract.md describes.
struct ClockCorrection: Sendable {
    let offset: Duration
    private let latest: Timestamp

    init(sentAt: Timestamp, received: Timestamp, tolerance: Duration) {
        self.latest = received + tolerance
        let difference = received - sentAt
        let isLarge = difference > tolerance || difference < .zero - tolerance
        self.offset = isLarge ? difference : .zero
    }

    @Sendable func corrected(_ deviceTime: Timestamp) -> Timestamp { deviceTime + offset }

    /// A corrected time in the past. Nil, which means unknown, if it is implausible: before 1970, where it might also be out of
    /// PostgreSQL's range, or later than now plus the tolerance.
    func plausible(_ deviceTime: Timestamp?) -> Timestamp? {
        guard let corrected = deviceTime.map(corrected), corrected >= Timestamp(microseconds: 0), corrected <= latest
        else { return nil }
        return corrected
    }
}
