/// A call about widgets, with the members of `POST /v1/events`. Values are copied as they were sent:
/// ``BatchDecoder`` judges them.
struct SegmentCall {
    let document: JSONDocument
    let call: JSONDocument.Index
    /// RFC 6901.
    let pointer: String

    // MARK: Which event it is

    /// By their letters: apps write `Widget Installed` as Segment's spec does, `widget_installed`, or `WidgetInstalled`, and a near
    /// miss must not be ignored silently.
    ///
    /// Segment's clients know no instances, so nothing there can be restored.
    private static let names: [String: EventType] = Dictionary(
        uniqueKeysWithValues: EventType.allCases.filter { $0 != .widgetsRestored }.compactMap { type in
            type.rawValue.letters.map { ($0, type) }
        })

    /// Nil for a call that is not about widgets.
    static func type(of call: JSONDocument.Index, in document: JSONDocument) -> EventType? {
        if let type = document.member("type", of: call), !document.equals(type, "track") { return nil }
        return document.member("event", of: call).flatMap(document.string).flatMap(\.letters).flatMap { names[$0] }
    }

    // MARK: The envelope

    /// What the call says about its sender, and when it was sent, without braces.
    func envelope(appID: String, received: Timestamp) throws(EnvelopeError) -> String {
        let context = member("context", of: call)
        let app = member("app", of: context)
        let device = member("device", of: context)
        let system = member("os", of: context)
        let installation = member("installation", of: context)
        let sent = member("sentAt", of: call) ?? member("sentAt", of: JSONDocument.root)
        guard let platform = platform(system: system, device: device) else {
            throw missing("`context.os.name` must name iOS, iPadOS, macOS, watchOS, visionOS or Android")
        }
        guard let anonymous = member("anonymousId", of: call) ?? member("id", of: installation) else {
            throw missing("`anonymousId` is missing: it tells the installation")
        }
        return [
            member("sent_at", sent) ?? "\"sent_at\":\(received.description.jsonQuoted)",
            object(
                "app", ["\"id\":\(appID.jsonQuoted)", version(of: app), member("channel", member("channel", of: app))]),
            object(
                "device",
                [
                    member("id", member("id", of: device) ?? anonymous), "\"platform\":\"\(platform.rawValue)\"",
                    member("os_version", member("version", of: system)),
                ]),
            object(
                "installation",
                [
                    member("id", member("id", of: installation) ?? anonymous),
                    member("first_launched_at", member("first_launched_at", of: installation)),
                    member("rebooted", member("rebooted", of: installation)),
                ]),
        ].joined(separator: ",")
    }

    private func version(of app: JSONDocument.Index?) -> String {
        member("version", member("version", of: app)) ?? "\"version\":\"unknown\""
    }

    private func platform(system: JSONDocument.Index?, device: JSONDocument.Index?) -> Platform? {
        [member("name", of: system), member("type", of: device)].lazy.compactMap { place in
            place.flatMap(document.string).flatMap(\.letters).flatMap { name in
                Platform(rawValue: name) ?? SegmentCall.otherNames[name]
            }
        }.first
    }

    private static let otherNames: [String: Platform] = ["iphoneos": .ios, "macosx": .macos, "mac": .macos]

    // MARK: The event

    func event(_ type: EventType) -> String {
        let properties = member("properties", of: call)
        let parts: [StaticString] = ["kind", "family", "intent", "configuration", "instance"]
        let content =
            type == .widgetsReported
            ? [member("widgets", member("widgets", of: properties)), member("error", member("error", of: properties))]
            : [object("widget", parts.map { member($0, member($0, of: properties)) })]
        let members =
            [
                member("id", member("messageId", of: call)), "\"type\":\"\(type.rawValue)\"",
                member("at", member("originalTimestamp", of: call) ?? member("timestamp", of: call)),
                member("surface", member("surface", of: properties)),
                member("source", member("source", of: properties)),
            ] + content
        return "{" + members.compactMap(\.self).joined(separator: ",") + "}"
    }

    // MARK: JSON

    private func member(_ name: StaticString, of object: JSONDocument.Index?) -> JSONDocument.Index? {
        object.flatMap { document.member(name, of: $0) }
    }

    /// A member with the value at a place, as it was sent; nil where there is none.
    private func member(_ name: StaticString, _ value: JSONDocument.Index?) -> String? {
        value.map { "\"\(name)\":" + String(decoding: document.source(at: $0), as: UTF8.self) }
    }

    private func object(_ name: StaticString, _ members: [String?]) -> String {
        "\"\(name)\":{" + members.compactMap(\.self).joined(separator: ",") + "}"
    }

    private func missing(_ sentence: String) -> EnvelopeError { .malformed(sentence, at: pointer) }
}
