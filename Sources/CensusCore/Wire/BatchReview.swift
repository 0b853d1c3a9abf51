/// Searches a valid body for probable mistakes.
struct BatchReview {
    private let document: JSONDocument
    private let limits: Limits
    private let circumstances: Observation.Circumstances
    private(set) var warnings: [BatchWarning] = []

    /// More would help nobody.
    private static let mostWarnings = 100
    /// How many more unknown names, and unknown families, to check. Each takes as long as a hundred known ones, and a body can
    /// have a million.
    private var strangeNames = 2_000
    private var strangeFamilies = 2_000

    /// - Parameter batch: decoded from the document.
    init(_ document: JSONDocument, _ batch: Batch, limits: Limits) {
        self.document = document
        self.limits = limits
        circumstances = batch.circumstances
        let root = JSONDocument.root
        let (app, device) = (document.member("app", of: root), document.member("device", of: root))
        let installation = document.member("installation", of: root)
        names(in: root, as: .envelope, at: "")
        if let app { names(in: app, as: .app, at: "/app") }
        if let device { names(in: device, as: .device, at: "/device") }
        if let installation { names(in: installation, as: .installation, at: "/installation") }
        reviewDevice(batch.deviceID, hasBootTime: device.flatMap { document.member("booted_at", of: $0) } != nil)
        reviewChannel()
        times(device: device, installation: installation)
        reviewEvents()
        if BatchReview.shareTimes(batch.events) {
            instants(of: batch.events)
            repeatedIDs(of: batch.events)
        }
    }

    /// Whether two events have the same time. In most batches each is later than the one before, which is cheap to see.
    private static func shareTimes(_ events: [Result<BatchEvent, RefusedEvent>]) -> Bool {
        var latest: Timestamp?
        for case .success(let event) in events {
            if let latest, event.occurredAt <= latest {
                var times: Set<Timestamp> = []
                return events.contains { event in
                    if case .success(let event) = event { !times.insert(event.occurredAt).inserted } else { false }
                }
            }
            latest = event.occurredAt
        }
        return false
    }

    private mutating func warn(
        _ code: BatchWarning.Code, event index: Int? = nil, _ message: String, at pointer: String
    ) {
        guard warnings.count < BatchReview.mostWarnings else { return }
        warnings.append(BatchWarning(code: code, index: index, message: message, pointer: pointer))
    }

    private func text(_ name: StaticString, of object: JSONDocument.Index?) -> String? {
        object.flatMap { document.member(name, of: $0) }.flatMap(document.string)
    }

    private mutating func names(
        in object: JSONDocument.Index, as part: WirePart, at pointer: @autoclosure () -> String, event: Int? = nil
    ) {
        for key in document.keys(of: object) where !document.isAny(of: part.fields, key) {
            // Strings are made only for unknown names, because every batch is searched.
            guard warnings.count < BatchReview.mostWarnings, strangeNames > 0 else { return }
            strangeNames -= 1
            guard let sent = document.string(at: key), let letters = sent.letters else { continue }
            if let field = part.field(with: letters) {
                warn(
                    .unknownField, event: event, "`\(sent)` is ignored; the field is called `\(field)`",
                    at: "\(pointer())/\(sent)")
            } else if part.isEnvelope, let home = WirePart.home(of: letters) {
                warn(
                    .misplacedField, event: event, "`\(sent)` is ignored here; it belongs in \(home.place)",
                    at: "\(pointer())/\(sent)")
            }
        }
    }

    private mutating func reviewDevice(_ id: String, hasBootTime: Bool) {
        if SharedDevice.isKnown(id) {
            warn(
                .sharedDevice,
                "many devices send this id, so all of them count as one; "
                    + "generate an id for each device, and keep it across reinstalls",
                at: "/device/id")
        }
        if circumstances.osVersion?.beginsWithNameAndNumber == true {
            warn(
                .osVersion, "`os_version` begins with a name; send the number alone, such as 26.1",
                at: "/device/os_version")
        }
        if hasBootTime, circumstances.platform.isWidgetKit, circumstances.platform != .macos {
            warn(
                .bootTime,
                "Apple's required-reason rules (35F9.1, 8FFB.1) forbid sending the boot time off the device; "
                    + "send `installation.rebooted` instead",
                at: "/device/booted_at")
        }
    }

    private mutating func reviewChannel() {
        let counted = Observation.Circumstances.countedChannel
        let channel = circumstances.channel
        if channel == counted {
            guard TestBuild.isCalledSo(circumstances.appVersion) else { return }
            warn(
                .channel,
                "the version looks like a test build, but it is counted; send another `channel`, such as `debug`",
                at: "/app/version")
        } else if ["production", "prod", "release", "live", "appstore", "playstore"].contains(channel.letters ?? "") {
            warn(
                .channel, "nothing in this batch is counted, because `channel` is not `\(counted)`",
                at: "/app/channel")
        }
    }

    /// Compares times of the device's own clock, so it doesn't matter how wrong that clock is.
    private mutating func times(device: JSONDocument.Index?, installation: JSONDocument.Index?) {
        guard let sent = time("sent_at", of: JSONDocument.root) else { return }
        if let booted = time("booted_at", of: device), booted - sent > limits.clockTolerance {
            warn(.futureTime, "`booted_at` is after `sent_at`, so it is ignored", at: "/device/booted_at")
        }
        if let launched = time("first_launched_at", of: installation), launched - sent > limits.clockTolerance {
            warn(
                .futureTime, "`first_launched_at` is after `sent_at`, so it is ignored",
                at: "/installation/first_launched_at")
        }
    }

    private func time(_ name: StaticString, of object: JSONDocument.Index?) -> Timestamp? {
        object.flatMap { document.member(name, of: $0) }.flatMap(document.time)
    }

    /// Events of equal time have no order. The fold considers every order, so less is certain.
    private mutating func instants(of events: [Result<BatchEvent, RefusedEvent>]) {
        var taken: [Subject: Text] = [:]
        for case .success(let event) in events where warnings.count < BatchReview.mostWarnings {
            guard let subject = Subject(event) else { continue }
            let id = Text(event.id)
            // The same event twice counts as one.
            guard let other = taken.updateValue(id, forKey: subject), other != id else { continue }
            let what = subject.kind == nil ? "list of this surface" : "event of this kind"
            warn(
                .sameInstant, event: event.index,
                "another \(what) has the same `at`, so their order is unknown; send milliseconds",
                at: "/events/\(event.index)/at")
        }
    }

    /// An event is identified by its id and time, so of two different contents only one is stored.
    private mutating func repeatedIDs(of events: [Result<BatchEvent, RefusedEvent>]) {
        var first: [EventKey: BatchEvent] = [:]
        for case .success(let event) in events where warnings.count < BatchReview.mostWarnings {
            let key = EventKey(id: Text(event.id), at: event.occurredAt)
            guard let other = first[key] else { first[key] = event; continue }
            guard other.event != event.event || other.surface != event.surface else { continue }
            warn(
                .sameID, event: event.index,
                "another event in this batch has the same `id` and `at`, so only one of them counts; "
                    + "give each event its own id",
                at: "/events/\(event.index)/id")
        }
    }

    private struct EventKey: Hashable {
        let id: Text
        let at: Timestamp
    }

    /// What an event is about, and when.
    private struct Subject: Hashable {
        let at: Timestamp
        let surface: Surface
        /// Nil for a list.
        let kind: Text?

        /// - Returns: nil if the order makes no difference.
        init?(_ event: BatchEvent) {
            (at, surface) = (event.occurredAt, event.surface)
            switch event.event.type {
            // The system renders all families of a kind at once.
            case .widget(let act) where act.sign == .rendered: return nil
            case .widgetsRestored, .appOpened: return nil
            case .widget: kind = event.event.models.first.map { Text($0.kind) }
            case .widgetsReported:
                guard !event.event.isFailedRead else { return nil }
                kind = nil
            }
        }
    }

    private mutating func reviewEvents() {
        guard let list = document.member("events", of: JSONDocument.root) else { return }
        for (index, event) in document.elements(of: list).enumerated() where warnings.count < BatchReview.mostWarnings {
            names(in: event, as: .event, at: "/events/\(index)", event: index)
            if let widget = document.member("widget", of: event) {
                review(widget: widget, at: "/events/\(index)/widget", event: index)
                if document.member("count", of: widget) != nil {
                    warn(
                        .misplacedField, event: index,
                        "`count` is ignored here, because this event is about one widget; it belongs in `widgets`",
                        at: "/events/\(index)/widget/count")
                }
            }
            guard let widgets = document.member("widgets", of: event) else { continue }
            for (place, widget) in document.elements(of: widgets).enumerated() {
                review(widget: widget, at: "/events/\(index)/widgets/\(place)", event: index)
            }
        }
    }

    private mutating func review(
        widget: JSONDocument.Index, at pointer: @autoclosure () -> String, event: Int
    ) {
        names(in: widget, as: .widget, at: pointer(), event: event)
        guard circumstances.platform.isWidgetKit, let family = text("family", of: widget) else { return }
        guard !WidgetKitFamily.names.contains(family), strangeFamilies > 0 else { return }
        strangeFamilies -= 1
        guard let name = WidgetKitFamily.meant(by: family) else { return }
        warn(
            .family, event: event, "`family` is counted as it is spelled; WidgetKit calls it `\(name)`",
            at: "\(pointer())/family")
    }
}

/// The objects of the contract, with their fields.
private enum WirePart: CaseIterable {
    case envelope, app, device, installation, event, widget

    /// The fields of an object.
    private struct Fields {
        let bits: UInt64
        let byLetters: [String: String]

        init(_ names: StaticString...) {
            bits = JSONNames.bits(of: names)
            byLetters = Dictionary(
                names.map { ($0.description.letters ?? "", $0.description) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// ``JSONNames/bits(of:)`` of its fields.
    var fields: UInt64 { list.bits }

    private var list: Fields {
        switch self {
        case .envelope: WirePart.envelopeFields
        case .app: WirePart.appFields
        case .device: WirePart.deviceFields
        case .installation: WirePart.installationFields
        case .event: WirePart.eventFields
        case .widget: WirePart.widgetFields
        }
    }

    private static let envelopeFields = Fields(
        "sent_at", "app", "device", "installation", "gallery_policy", "events", "received_at")
    private static let appFields = Fields("id", "version", "channel")
    private static let deviceFields = Fields("id", "platform", "os_version", "os_build", "booted_at")
    private static let installationFields = Fields("id", "first_launched_at", "rebooted")
    private static let eventFields = Fields(
        "id", "type", "at", "surface", "source", "widget", "widgets", "error", "instances")
    private static let widgetFields = Fields("kind", "family", "intent", "configuration", "instance", "count")

    var isEnvelope: Bool { self != .event && self != .widget }

    /// Its name in messages.
    var place: String {
        switch self {
        case .envelope: "the outermost object"
        case .app: "`app`"
        case .device: "`device`"
        case .installation: "`installation`"
        case .event: "an event"
        case .widget: "a widget"
        }
    }

    /// The field with these letters; nil if there is none.
    func field(with letters: String) -> String? { list.byLetters[letters] }

    /// The only object of the envelope that has a field with these letters.
    static func home(of letters: String) -> WirePart? {
        guard letters != "id" else { return nil }
        return allCases.first { $0.isEnvelope && $0.field(with: letters) != nil }
    }
}

/// Recognizes versions that are named like test builds.
private enum TestBuild {
    private static let words: Set<Substring> = ["debug", "dev", "test", "staging", "snapshot", "alpha", "beta"]

    static func isCalledSo(_ version: String) -> Bool {
        // Most versions are numbers.
        guard version.utf8.contains(where: { $0 > UInt8(ascii: "9") }) else { return false }
        return version.lowercased().split { !$0.isLetter }.contains(where: words.contains)
    }
}

/// Recognizes device ids that many devices send.
private enum SharedDevice {
    /// Android 2.2's emulator id, which some phones had, and what programs write when there is no id.
    private static let words: Set<String> = [
        "9774d56d682e549c", "null", "nil", "none", "undefined", "unknown", "test", "device", "deviceid", "optionalnil",
    ]
    private static let longestWord = 16

    static func isKnown(_ id: String) -> Bool {
        let plain = id.utf8.lazy.filter { !"-_ ()".utf8.contains($0) }
        // All zeros, which iOS returns without permission for the advertising id, and any other repeated character.
        if plain.allSatisfy({ $0 == plain.first }) { return true }
        guard plain.dropFirst(longestWord).isEmpty else { return false }
        return words.contains(String(decoding: Array(plain), as: UTF8.self).lowercased())
    }
}

/// WidgetKit's families, in its spelling (docs/reference/contract.md: an open string).
package enum WidgetKitFamily {
    package static let names: Set<String> = [
        "systemSmall", "systemMedium", "systemLarge", "systemExtraLarge", "systemExtraLargePortrait",
        "accessoryCircular", "accessoryRectangular", "accessoryInline", "accessoryCorner",
    ]

    /// The family that is probably meant by another spelling.
    static func meant(by family: String) -> String? {
        let plain = family.hasPrefix(".") ? String(family.dropFirst()) : family
        guard let letters = plain.letters else { return nil }
        return ["", "system", "accessory"].lazy.compactMap { byLetters[$0 + letters] }.first
    }

    private static let byLetters = Dictionary(
        uniqueKeysWithValues: names.map { ($0.lowercased(), $0) })
}

extension String {
    /// Whether it is like `iOS 26.1` or `Android15`. `Tiramisu` alone is a valid version.
    fileprivate var beginsWithNameAndNumber: Bool {
        guard let first = unicodeScalars.first, first.properties.isAlphabetic else { return false }
        let rest = unicodeScalars.drop { $0.properties.isAlphabetic || $0 == " " }
        return rest.first.map { "0"..."9" ~= $0 } ?? false
    }
}
