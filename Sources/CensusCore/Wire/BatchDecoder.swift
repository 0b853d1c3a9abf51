/// Reads a body of docs/reference/contract.md: the envelope as a whole, the events one by one.
public struct BatchDecoder: Sendable {
    public var limits: Limits

    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// - Parameters:
    ///   - body: inflated.
    ///   - received: the server's clock when the body arrived.
    ///   - isOverdue: asked before each event; once it says so, the body is too large for this machine.
    /// - Throws: ``EnvelopeError``. A bad event does not throw; it is among the events, as a failure.
    /// - Complexity: O(n) in the bytes of the body, whatever they are; lists of widgets are sorted.
    public func decode(
        _ body: [UInt8], received: Timestamp, isOverdue: () -> Bool = { false }
    ) throws(EnvelopeError) -> Batch {
        try decode(try document(body), received: received, isOverdue)
    }

    /// Reads a body from an archive. An additional field, `received_at`, says when the server once received it.
    ///
    /// - Parameter now: may be an hour behind the clock that wrote `received_at`.
    /// - Throws: ``EnvelopeError``, also where `received_at` is in the future, or before 2009, as in an export that wrote 0 for a
    ///   missing time: corrected by it, the events would make nights close every day since.
    public func decodeArchived(
        _ body: [UInt8], now: Timestamp = .now
    ) throws(EnvelopeError) -> (batch: Batch, received: Timestamp) {
        let document = try document(body)
        let received = try EnvelopeReader(document: document, limits: limits)
            .time("received_at", of: JSONDocument.root, at: "")
        guard received >= .firstWidgets else {
            throw .malformed("`received_at` is before 2009, when no phone had widgets", at: "/received_at")
        }
        guard received <= now + .hours(1) else {
            throw .malformed(
                "`received_at` is in the future: it is when the server originally got the batch", at: "/received_at")
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
                "the body is an event without its envelope: send \(envelope), with the event in it", at: "")
        }
        return document
    }

    private func decode(
        _ document: JSONDocument, received: Timestamp, _ isOverdue: () -> Bool
    ) throws(EnvelopeError) -> Batch {
        let envelope = EnvelopeReader(document: document, limits: limits)
        let sentAt = try envelope.time("sent_at", of: JSONDocument.root, at: "")
        let clock = ClockCorrection(sentAt: sentAt, received: received, tolerance: limits.clockTolerance)

        let app = try envelope.object("app")
        let device = try envelope.object("device")
        let installation = try envelope.object("installation")
        guard let platform = Platform(rawValue: try envelope.string("platform", of: device, at: "/device")) else {
            let known = Platform.allCases.map(\.rawValue).joined(separator: ", ")
            throw .malformed("`platform` must be one of \(known)", at: "/device/platform")
        }
        let circumstances = Observation.Circumstances(
            platform: platform,
            osVersion: try envelope.optionalString("os_version", of: device, at: "/device"),
            osBuild: try envelope.optionalString("os_build", of: device, at: "/device"),
            appVersion: try envelope.string("version", of: app, at: "/app"),
            channel: try envelope.optionalString("channel", of: app, at: "/app")
                ?? Observation.Circumstances.countedChannel,
            bootedAt: clock.plausible(try envelope.optionalTime("booted_at", of: device, at: "/device")),
            rebooted: try envelope.optionalBoolean("rebooted", of: installation, at: "/installation"),
            firstLaunchedAt: clock.plausible(
                try envelope.optionalTime("first_launched_at", of: installation, at: "/installation")),
            galleryPolicy: try envelope.optionalInteger("gallery_policy", of: JSONDocument.root, at: ""))
        let events = try events(in: document, clock: clock, received: received, isOverdue)
        return Batch(
            appID: try envelope.string("id", of: app, at: "/app"),
            deviceID: try envelope.rawID(of: device, at: "/device"),
            installationID: try envelope.rawID(of: installation, at: "/installation"),
            circumstances: circumstances,
            events: events, warnings: BatchReview(document, events, limits: limits).warnings)
    }

    private func events(
        in document: JSONDocument, clock: ClockCorrection, received: Timestamp, _ isOverdue: () -> Bool
    ) throws(EnvelopeError) -> [Result<BatchEvent, RefusedEvent>] {
        guard let list = document.member("events", of: JSONDocument.root) else {
            throw .malformed(document.missing("events", of: JSONDocument.root), at: "/events")
        }
        guard document.kind(at: list) == .array else {
            throw .malformed("`events` must be an array", at: "/events")
        }
        let elements = document.elements(of: list)
        guard !elements.isEmpty else {
            throw EnvelopeError(
                verdict: .unusable, code: "no_events", message: "`events` is empty: send nothing instead",
                pointer: "/events")
        }
        guard elements.count <= limits.eventsPerBatch else {
            throw EnvelopeError(
                verdict: .tooLarge, code: "too_many_events",
                message: "\(elements.count) events in a batch; at most \(limits.eventsPerBatch) are taken: send halves",
                pointer: "/events")
        }
        let reader = EventReader(document: document, limits: limits, clock: clock, received: received)
        var events: [Result<BatchEvent, RefusedEvent>] = []
        events.reserveCapacity(elements.count)
        for (index, element) in elements.enumerated() {
            guard !isOverdue() else {
                throw EnvelopeError(
                    verdict: .tooLarge, code: "body_too_large",
                    message: "the body takes too long to read: send halves", pointer: "/events")
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

/// The difference of two clocks, applied only if it is too large to be the network's: docs/reference/contract.md, "POST /v1/events".
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

    /// A time in the past, corrected; nil (unknown, proving nothing) if no phone can have had it: before 1970, which may also be
    /// out of PostgreSQL's range, or after now, as far as clocks agree.
    func plausible(_ deviceTime: Timestamp?) -> Timestamp? {
        guard let corrected = deviceTime.map(corrected), corrected >= Timestamp(microseconds: 0), corrected <= latest
        else { return nil }
        return corrected
    }
}
