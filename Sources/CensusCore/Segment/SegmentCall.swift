/// Translates a call about widgets into the fields of `POST /v1/events`. It copies values as sent; ``BatchDecoder`` checks
/// them.
struct SegmentCall {
    let document: JSONDocument
    let call: JSONDocument.Index
    /// RFC 6901.
    let pointer: String

    // MARK: The type of the event

    /// Event types by their letters, because apps write `Widget Installed` (as Segment's spec does), `widget_installed` or
    /// `WidgetInstalled`, and a near miss must not be ignored silently.
    ///
    /// Without `widgets_restored`, because Segment's API has no instances, and `app_opened`, which is not about widgets.
    private static let names: [String: EventType] = Dictionary(
        uniqueKeysWithValues: EventType.allCases.filter { $0 != .widgetsRestored && $0 != .appOpened }.compactMap {
            type in
            type.rawValue.letters.map { ($0, type) }
        })

    /// Nil for a call that is not about widgets.
    static func type(of call: JSONDocument.Index, in document: JSONDocument) -> EventType? {
        if let type = document.member("type", of: call), !document.equals(type, "track") { return nil }
        return document.member("event", of: call).flatMap(document.string).flatMap(\.letters).flatMap { names[$0] }
    }

    // MARK: The envelope

    /// The sender, and the time of sending, as JSON members without the outer braces.
    func envelope(appID: String, received: Timestamp) throws(EnvelopeError) -> String {
        let context = member("context", of: call)
        let app = member("app", of: context)
        let device = member("device", of: context)
        let system = member("os", of: context)
        let installation = member("installation", of: context)
        guard let platform = platform(system: system, device: device) else {
            throw .malformed(
                "`context.os.name` must be iOS, iPadOS, macOS, watchOS, visionOS or Android",
                at: pointer + "/context/os/name")
        }
        guard let anonymous = member("anonymousId", of: call) ?? member("id", of: installation) else {
            throw .malformed("`anonymousId` is missing; it identifies the installation", at: pointer + "/anonymousId")
        }
        return [
            sent(received),
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

    /// When the device sent the call, by its own clock. For a forwarded call, it is the time that makes ``BatchDecoder``
    /// correct the device's clock as the first receiver did. The events' own times stay as sent, so that an event that also
    /// came directly counts once.
    private func sent(_ received: Timestamp) -> String {
        if let correction = forwarderCorrection(received) {
            return "\"sent_at\":\((received - correction).description.jsonQuoted)"
        }
        return member("sent_at", member("sentAt", of: call) ?? sentAtOfBatch)
            ?? "\"sent_at\":\(received.description.jsonQuoted)"
    }

    /// By how much the first receiver corrected the device's clock; nil if the device sent the call directly. A `receivedAt` in
    /// the future is ignored.
    private func forwarderCorrection(_ received: Timestamp) -> Duration? {
        let root = JSONDocument.root
        guard
            let first = time("receivedAt", call) ?? time("received_at", call) ?? time("receivedAt", root)
                ?? time("received_at", root), first <= received + SegmentCall.tolerance
        else { return nil }
        guard let original = time("originalTimestamp", call) else { return .zero }
        var correction: Duration = .zero
        if let corrected = time("timestamp", call) {
            correction = corrected - original
        } else if let sent = time("sentAt", call) ?? time("sentAt", root) {
            correction = first - sent
        }
        // All calls that need no correction share an envelope.
        return correction > SegmentCall.tolerance || correction < .zero - SegmentCall.tolerance ? correction : .zero
    }

    private static let tolerance = Limits().clockTolerance

    /// Reads a time; nil if it is missing or invalid. Skips long strings, because a time of the whole batch is read for each
    /// call.
    private func time(_ name: StaticString, _ object: JSONDocument.Index) -> Timestamp? {
        member(name, of: object).flatMap { document.source(at: $0).count <= 64 ? $0 : nil }
            .flatMap(plainText).flatMap(Timestamp.init(rfc3339:))
    }

    // MARK: Errors

    /// The names and places of its fields.
    var names: SegmentNames {
        let context = member("context", of: call)
        let (device, installation) = (member("device", of: context), member("installation", of: context))
        let isOfBatch = member("sentAt", of: call) == nil && !pointer.isEmpty
        let anonymous = member("anonymousId", of: call) == nil ? "/context/installation/id" : "/anonymousId"
        var names = SegmentNames()
        names.set("/sent_at", isOfBatch ? .batch("/sentAt") : .call("/sentAt"))
        names.set("/app/version", .call("/context/app/version"))
        names.set("/app/channel", .call("/context/app/channel"))
        names.set("/device/os_version", .call("/context/os/version"))
        names.set("/device/id", .call(member("id", of: device) == nil ? anonymous : "/context/device/id"))
        names.set(
            "/installation/id", .call(member("id", of: installation) == nil ? anonymous : "/context/installation/id"))
        names.set("/installation/first_launched_at", .call("/context/installation/first_launched_at"))
        names.set("/installation/rebooted", .call("/context/installation/rebooted"))
        names.time = time
        return names
    }

    /// The name of the field that has its time.
    var time: String { member("originalTimestamp", of: call) == nil ? "timestamp" : "originalTimestamp" }

    /// The call as a refused event of its device, if the device can be read.
    func refused(_ refusal: Refusal, index: Int) -> (device: String, event: RefusedEvent) {
        let context = member("context", of: call)
        let ids = [
            member("id", of: member("device", of: context)), member("anonymousId", of: call),
            member("id", of: member("installation", of: context)),
        ]
        let device = ids.lazy.compactMap { $0.flatMap(plainText) }.first { RawID.fault(of: $0) == nil }
        let id = member("messageId", of: call).flatMap(plainText)
        let event = RefusedEvent(
            index: index, id: id.flatMap { $0.isAtMost(Limits().eventIDLength) ? $0 : nil }, refusal: refusal,
            source: Array(document.source(at: call)))
        return (device ?? SegmentCall.nobody, event)
    }

    /// The device id for calls without one.
    private static let nobody = "segment: no device is named"

    /// A string that has no escapes, which could contain half surrogates or U+0000.
    private func plainText(_ index: JSONDocument.Index) -> String? {
        document.source(at: index).contains(UInt8(ascii: "\\")) ? nil : document.string(at: index)
    }

    /// Nil if it is too long for a time: it is copied into every body, and would turn a small batch into a large one.
    private var sentAtOfBatch: JSONDocument.Index? {
        member("sentAt", of: JSONDocument.root).flatMap { document.source(at: $0).count <= 64 ? $0 : nil }
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
            ? [list("widgets", member("widgets", of: properties)), member("error", member("error", of: properties))]
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

    /// Nil if it is missing, or `""`, which Segment's clients write for unknown values.
    private func member(_ name: StaticString, of object: JSONDocument.Index?) -> JSONDocument.Index? {
        object.flatMap { document.member(name, of: $0) }.flatMap { isEmptyText($0) ? nil : $0 }
    }

    private func isEmptyText(_ index: JSONDocument.Index) -> Bool {
        document.kind(at: index) == .string && document.source(at: index).count == 2
    }

    /// A list, without those members of its entries that are `""`.
    private func list(_ name: StaticString, _ value: JSONDocument.Index?) -> String? {
        guard let value, document.kind(at: value) == .array else { return member(name, value) }
        let entries = document.elements(of: value).map { entry in
            let members = document.members(of: entry)
            guard members.contains(where: { isEmptyText($0.value) }) else { return source(entry) }
            let kept = members.filter { !isEmptyText($0.value) }.map { "\(source($0.key)):\(source($0.value))" }
            return "{" + kept.joined(separator: ",") + "}"
        }
        return "\"\(name)\":[" + entries.joined(separator: ",") + "]"
    }

    private func source(_ index: JSONDocument.Index) -> String {
        String(decoding: document.source(at: index), as: UTF8.self)
    }

    /// A member with a value as it was sent; nil without a value.
    private func member(_ name: StaticString, _ value: JSONDocument.Index?) -> String? {
        value.map { "\"\(name)\":" + source($0) }
    }

    private func object(_ name: StaticString, _ members: [String?]) -> String {
        "\"\(name)\":{" + members.compactMap(\.self).joined(separator: ",") + "}"
    }
}
