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
        guard let platform = platform(system: system, device: device) else {
            throw .malformed(
                "`context.os.name` must name iOS, iPadOS, macOS, watchOS, visionOS or Android",
                at: pointer + "/context/os/name")
        }
        guard let anonymous = member("anonymousId", of: call) ?? member("id", of: installation) else {
            throw .malformed("`anonymousId` is missing: it tells the installation", at: pointer + "/anonymousId")
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

    /// When the device sent it, by its own clock; or, of what somebody else received and forwards, the time that makes
    /// ``BatchDecoder`` correct the device's clock as that receiver did. Its events keep the times by which they are known, so that
    /// one which came directly, too, counts once.
    private func sent(_ received: Timestamp) -> String {
        if let correction = forwarderCorrection(received) {
            return "\"sent_at\":\((received - correction).description.jsonQuoted)"
        }
        return member("sent_at", member("sentAt", of: call) ?? sentAtOfBatch)
            ?? "\"sent_at\":\(received.description.jsonQuoted)"
    }

    /// By how much the one who received it first corrected the device's clock; nil for what comes from the device. A time of receipt in
    /// the future tells nothing.
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
        // One envelope for all that need none.
        return correction > SegmentCall.tolerance || correction < .zero - SegmentCall.tolerance ? correction : .zero
    }

    private static let tolerance = Limits().clockTolerance

    /// Nil where it can't be read. A time of the whole batch is read for each call: one that is too long for a time costs nothing.
    private func time(_ name: StaticString, _ object: JSONDocument.Index) -> Timestamp? {
        member(name, of: object).flatMap { document.source(at: $0).count <= 64 ? $0 : nil }
            .flatMap(plainText).flatMap(Timestamp.init(rfc3339:))
    }

    // MARK: What is wrong with it

    /// What its fields are called, and where they stand.
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

    /// The field that its time is read from.
    var time: String { member("originalTimestamp", of: call) == nil ? "timestamp" : "originalTimestamp" }

    /// The call as a refused event is kept: for the device that it names, as far as it can be read.
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

    /// Stands for the device of a call that names none.
    private static let nobody = "segment: no device is named"

    /// A string without escapes; they may hold half surrogates, or U+0000.
    private func plainText(_ index: JSONDocument.Index) -> String? {
        document.source(at: index).contains(UInt8(ascii: "\\")) ? nil : document.string(at: index)
    }

    /// Copied into every call: one that is too long for a time would make a large batch of a small one.
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

    /// Nil where there is none. Segment's clients write `""` for what they don't know: that is none.
    private func member(_ name: StaticString, of object: JSONDocument.Index?) -> JSONDocument.Index? {
        object.flatMap { document.member(name, of: $0) }.flatMap { isEmptyText($0) ? nil : $0 }
    }

    private func isEmptyText(_ index: JSONDocument.Index) -> Bool {
        document.kind(at: index) == .string && document.source(at: index).count == 2
    }

    /// A list whose entries lose the members that are `""`.
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

    /// A member with the value at a place, as it was sent; nil where there is none.
    private func member(_ name: StaticString, _ value: JSONDocument.Index?) -> String? {
        value.map { "\"\(name)\":" + source($0) }
    }

    private func object(_ name: StaticString, _ members: [String?]) -> String {
        "\"\(name)\":{" + members.compactMap(\.self).joined(separator: ",") + "}"
    }
}
