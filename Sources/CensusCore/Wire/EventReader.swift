/// Reads one event. If it is invalid, only this event is refused.
struct EventReader {
    let document: JSONDocument
    let limits: Limits
    let clock: ClockCorrection
    let received: Timestamp

    func event(at index: JSONDocument.Index, index position: Int) throws(Refusal) -> BatchEvent {
        guard document.kind(at: index) == .object else { throw .unknownType("an event must be an object") }
        let id = try id(at: index)
        let (occurredAt, at) = try time(at: index)
        guard let name = document.member("type", of: index) else {
            throw .unknownType(document.missing("type", of: index) + "; send \(EventReader.types)")
        }
        guard let text = document.string(at: name), let type = EventType(rawValue: text) else {
            throw .unknownType("`type` must be \(EventReader.types)")
        }
        let reader = EventContentReader(document: document, limits: limits)
        return BatchEvent(
            index: position, id: id, occurredAt: occurredAt, at: at,
            surface: try surface(at: index, type: type),
            source: try reader.optionalString("source", of: index, otherwise: reader.refusal(for: type)),
            event: try reader.encodedEvent(type, at: index))
    }

    private static let types = "one of " + EventType.allCases.map(\.rawValue).joined(separator: ", ")

    func idIfReadable(at index: JSONDocument.Index) -> String? {
        try? id(at: index)
    }

    private func id(at index: JSONDocument.Index) throws(Refusal) -> String {
        guard let member = document.member("id", of: index) else {
            throw .invalidID(document.missing("id", of: index))
        }
        guard let id = document.string(at: member) else { throw .invalidID("`id` must be a string") }
        guard !id.isEmpty, id.isAtMost(limits.eventIDLength), !id.holdsNull else {
            throw .invalidID("`id` must have 1 to \(limits.eventIDLength) characters, none of them U+0000")
        }
        return id
    }

    private func time(at index: JSONDocument.Index) throws(Refusal) -> (sent: Timestamp, corrected: Timestamp) {
        let form = "an RFC 3339 time with a time zone, such as 2026-11-21T10:00:00Z"
        guard let member = document.member("at", of: index) else {
            throw .invalidTime(document.missing("at", of: index) + "; send \(form)")
        }
        guard let sent = document.time(at: member) else { throw .invalidTime("`at` must be \(form)") }
        let corrected = clock.corrected(sent)
        let age = received - corrected
        if age > limits.retention { throw .tooOld(by: age - limits.retention) }
        if age < .zero - limits.aheadTolerance { throw .inFuture(by: .zero - age - limits.aheadTolerance) }
        return (sent, corrected)
    }

    private func surface(at index: JSONDocument.Index, type: EventType) throws(Refusal) -> Surface {
        guard let member = document.member("surface", of: index) else { return .widget }
        guard let text = document.string(at: member), let surface = Surface(rawValue: text) else {
            let known = Surface.allCases.map(\.rawValue).joined(separator: ", ")
            let sentence = "`surface` must be one of \(known)"
            throw type == .widgetsReported ? .invalidReport(sentence) : .invalidWidget(sentence)
        }
        return surface
    }
}
