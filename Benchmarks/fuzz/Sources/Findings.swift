import CensusCore

/// Checks the decoder's promises for any bytes.
struct Findings {
    /// The server's clock, near the times of the corpus.
    static let received = Timestamp(seconds: 1_795_255_200)
    private static let limits = Limits()
    private static let decoder = BatchDecoder()

    enum Outcome {
        case refusedWhole
        case batch(accepted: Int, refused: Int)
    }

    private(set) var broken: [String] = []

    mutating func check(_ body: [UInt8]) -> Outcome {
        do throws(EnvelopeError) {
            let batch = try Findings.decoder.decode(body, received: Findings.received)
            return check(batch, body)
        } catch {
            check(error)
            return .refusedWhole
        }
    }

    private mutating func check(_ error: EnvelopeError) {
        let codes = ["invalid_envelope", "invalid_json", "too_deep", "no_events", "too_many_events"]
        expect(codes.contains(error.code), "unknown code \(error.code)")
        expect(!error.message.isEmpty && error.message.utf8.count < 400, "message \(error.message)")
        expect(Findings.isPointer(error.pointer), "pointer \(error.pointer)")
    }

    private mutating func check(_ batch: Batch, _ body: [UInt8]) -> Outcome {
        let limits = Findings.limits
        expect((1...limits.eventsPerBatch).contains(batch.events.count), "\(batch.events.count) events")
        let circumstances = batch.circumstances
        for text in [batch.appID, batch.deviceID, batch.installationID] {
            expect(!text.isEmpty, "an empty id")
            expectText(text, limits.stringLength)
        }
        for id in [batch.deviceID, batch.installationID] {
            expect(RawID.fault(of: id, limits: limits) == nil, "an id that no header can carry")
        }
        for case let text? in [
            circumstances.appVersion, circumstances.channel, circumstances.osVersion, circumstances.osBuild,
        ] { expectText(text, limits.stringLength) }
        for time in [circumstances.bootedAt, circumstances.firstLaunchedAt] {
            if let time { expect(time.microseconds >= 0, "a time before 1970") }
        }
        var accepted = 0
        for (position, event) in batch.events.enumerated() {
            switch event {
            case .success(let event):
                accepted += 1
                check(event, at: position)
            case .failure(let event): check(event, at: position, body)
            }
        }
        return .batch(accepted: accepted, refused: batch.events.count - accepted)
    }

    private mutating func check(_ event: BatchEvent, at position: Int) {
        let limits = Findings.limits
        expect(event.index == position, "index \(event.index) at \(position)")
        expect(!event.id.isEmpty, "an empty id")
        expectText(event.id, limits.eventIDLength)
        if let source = event.source { expectText(source, limits.stringLength) }
        expect(event.at <= Findings.received + limits.aheadTolerance, "an event from the future")
        expect(Findings.received - event.at <= limits.retention, "an event too old")
        let content = event.event.content
        expect(!content.contains(0), "a NUL in a content")
        let read: Event
        do {
            read = try event.event.decoded()
        } catch {
            expect(false, "a content that cannot be read back")
            return
        }
        let again = EncodedEvent(read)
        expect(again.type == event.event.type && again.content == content, "a content that is not canonical")
        // Both lists are from dictionaries, so their order means nothing.
        expect(
            Set(again.models) == Set(event.event.models) && again.models.count == event.event.models.count,
            "other kinds and families than before")
        expect(again.listed == event.event.listed, "another number of widgets than before")
        expect(again.isFailedRead == event.event.isFailedRead, "a failed read that is none, or the reverse")
        for placement in read.placements {
            expect(!placement.kind.isEmpty, "an empty kind")
            let texts = [
                placement.kind, placement.family, placement.intent, placement.configuration, placement.instance,
            ]
            for case let text? in texts { expectText(text, limits.stringLength) }
        }
        if case .reported(let claimed) = read {
            expect(claimed.values.allSatisfy { $0 >= 1 }, "a count below 1")
        }
    }

    private mutating func check(_ event: RefusedEvent, at position: Int, _ body: [UInt8]) {
        let codes = [
            "invalid_id", "invalid_time", "too_old", "in_future", "unknown_type", "invalid_widget", "invalid_report",
            "too_long",
        ]
        expect(event.index == position, "index \(event.index) at \(position)")
        expect(codes.contains(event.refusal.code), "unknown refusal \(event.refusal.code)")
        expect(
            !event.refusal.message.isEmpty && event.refusal.message.utf8.count < 400, "message \(event.refusal.message)"
        )
        expect(!event.source.isEmpty && event.source.count <= body.count, "a source of \(event.source.count) bytes")
        if let id = event.id { expectText(id, Findings.limits.eventIDLength) }
    }

    private mutating func expectText(_ text: String, _ limit: Int) {
        expect(text.unicodeScalars.count <= limit, "a text of \(text.unicodeScalars.count) characters")
        expect(text.utf8.count <= Findings.limits.stringBytes, "a text of \(text.utf8.count) bytes")
        expect(!text.utf8.contains(0), "a NUL in a text")
    }

    private mutating func expect(_ holds: Bool, _ finding: @autoclosure () -> String) {
        if !holds { broken.append(finding()) }
    }

    /// RFC 6901: empty, or parts with a slash before each, where a tilde is only before 0 or 1.
    private static func isPointer(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard let first = bytes.first else { return true }
        guard first == UInt8(ascii: "/") else { return false }
        return bytes.indices.allSatisfy { position in
            bytes[position] != UInt8(ascii: "~")
                || (position + 1 < bytes.count && (bytes[position + 1] == 0x30 || bytes[position + 1] == 0x31))
        }
    }
}
