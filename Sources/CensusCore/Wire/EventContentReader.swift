/// Reads the content of an event, without its time and surface: the part that is stored in `observation.content`.
struct EventContentReader {
    let document: JSONDocument
    let limits: Limits

    func event(_ type: EventType, at index: JSONDocument.Index) throws(Refusal) -> Event {
        switch type {
        case .widgetsReported:
            switch try report(at: index) {
            case .listed(let widgets):
                var claimed = [Placement: Int](minimumCapacity: widgets.count)
                for widget in widgets { claimed[widget.placement, default: 0] += widget.count }
                return .reported(claimed)
            case .failed(let domain, let code): return .readFailed(domain: domain, code: code)
            }
        case .widget(let act): return .happened(act, to: try widget(at: index))
        case .widgetsRestored: return .restored(try instances(at: index))
        case .appOpened: return .appOpened
        }
    }

    /// The same event, encoded as it is stored.
    func encodedEvent(_ type: EventType, at index: JSONDocument.Index) throws(Refusal) -> EncodedEvent {
        guard type == .widgetsReported else { return EncodedEvent(try event(type, at: index)) }
        switch try report(at: index) {
        case .listed(let widgets): return EncodedEvent(WidgetList(widgets))
        case .failed(let domain, let code): return EncodedEvent(.readFailed(domain: domain, code: code))
        }
    }

    private enum Report {
        /// As sent: a placement can be listed more than once.
        case listed([WidgetList.Widget])
        case failed(domain: String, code: Int64)
    }

    /// Makes the refusal for invalid content of this type.
    func refusal(for type: EventType) -> (String) -> Refusal {
        if type == .widgetsReported { return Refusal.invalidReport }
        return Refusal.invalidWidget
    }

    private func report(at index: JSONDocument.Index) throws(Refusal) -> Report {
        let widgets = document.member("widgets", of: index)
        let error = document.member("error", of: index)
        switch (widgets, error) {
        case (nil, nil):
            throw .invalidReport("the report has no `widgets` and no `error`; send `error` if the read failed")
        case (.some, .some):
            throw .invalidReport("the report has both `widgets` and `error`; send only `error` if the read failed")
        case (nil, .some(let error)):
            return try readFailure(at: error)
        case (.some(let widgets), nil):
            guard document.kind(at: widgets) == .array else { throw .invalidReport("`widgets` must be an array") }
            let elements = document.elements(of: widgets)
            guard elements.count <= limits.widgetsPerReport else {
                throw .invalidReport(
                    "the report lists more than \(limits.widgetsPerReport) widgets; use `count` for equal ones")
            }
            var widgets: [WidgetList.Widget] = []
            widgets.reserveCapacity(elements.count)
            for (number, element) in elements.enumerated() {
                // Only a list of several needs to say which one is invalid.
                func refuse(_ sentence: String) -> Refusal {
                    .invalidReport(elements.count == 1 ? sentence : "`widgets[\(number)]`: \(sentence)")
                }
                let placement = try placement(at: element, otherwise: refuse)
                widgets.append((placement, try count(at: element, otherwise: refuse)))
            }
            return .listed(widgets)
        }
    }

    private func readFailure(at index: JSONDocument.Index) throws(Refusal) -> Report {
        guard let code = document.member("code", of: index), let code = document.integer(at: code),
            let domain = try optionalString("domain", of: index, otherwise: Refusal.invalidReport)
        else { throw .invalidReport("`error` must be {\"domain\": string, \"code\": integer}") }
        return .failed(domain: domain, code: code)
    }

    private func widget(at index: JSONDocument.Index) throws(Refusal) -> Placement {
        guard let member = document.member("widget", of: index) else {
            throw .invalidWidget(document.missing("widget", of: index) + "; send an object with at least `kind`")
        }
        return try placement(at: member, otherwise: Refusal.invalidWidget)
    }

    private func placement(
        at index: JSONDocument.Index, otherwise refuse: (String) -> Refusal
    ) throws(Refusal) -> Placement {
        guard document.kind(at: index) == .object else { throw refuse("a widget must be an object") }
        guard let kind = try optionalString("kind", of: index, otherwise: refuse) else {
            throw refuse(document.missing("kind", of: index) + "; every widget needs one")
        }
        guard !kind.isEmpty else { throw refuse("`kind` must be a non-empty string") }
        return Placement(
            kind: kind,
            family: try optionalString("family", of: index, otherwise: refuse),
            intent: try optionalString("intent", of: index, otherwise: refuse),
            configuration: try optionalString("configuration", of: index, otherwise: refuse),
            instance: try optionalInstance(of: index, otherwise: refuse))
    }

    private func optionalInstance(
        of object: JSONDocument.Index, otherwise refuse: (String) -> Refusal
    ) throws(Refusal) -> String? {
        guard let member = document.member("instance", of: object) else { return nil }
        return try instance(at: member, "instance", otherwise: refuse)
    }

    /// Android's widget ids are integers; each stands for its digits.
    private func instance(
        at index: JSONDocument.Index, _ name: StaticString, otherwise refuse: (String) -> Refusal
    ) throws(Refusal) -> String {
        if document.kind(at: index) == .number, let number = document.integer(at: index) { return "\(number)" }
        return try checked(document.string(at: index), name, or: "an integer", otherwise: refuse)
    }

    private func count(
        at index: JSONDocument.Index, otherwise refuse: (String) -> Refusal
    ) throws(Refusal) -> Int {
        guard let member = document.member("count", of: index) else { return 1 }
        guard let number = document.integer(at: member), let count = Int(exactly: number), limits.count.contains(count)
        else {
            let (low, high) = (limits.count.lowerBound, limits.count.upperBound)
            throw refuse("`count` must be an integer from \(low) to \(high)")
        }
        return count
    }

    private func instances(at index: JSONDocument.Index) throws(Refusal) -> [Text: String] {
        let shape = Refusal.invalidWidget(
            #"`instances` must be an object that maps old ids to new ones, such as {"1": "2", "2": "3"}"#)
        guard let member = document.member("instances", of: index), document.kind(at: member) == .object else {
            throw shape
        }
        let members = document.members(of: member)
        guard members.count <= limits.widgetsPerReport else {
            throw .invalidWidget("`instances` has more than \(limits.widgetsPerReport) entries")
        }
        var renamed: [Text: String] = [:]
        for (key, value) in members {
            let old = Text(try checked(document.string(at: key), "instances", otherwise: Refusal.invalidWidget))
            // Android passes two arrays, and an app might send them as they are.
            guard [.string, .number].contains(document.kind(at: value)) else { throw shape }
            let new = try instance(at: value, "instances", otherwise: Refusal.invalidWidget)
            if renamed[old] == nil { renamed[old] = new }
        }
        return renamed
    }

    func optionalString(
        _ name: StaticString, of object: JSONDocument.Index, otherwise refuse: (String) -> Refusal
    ) throws(Refusal) -> String? {
        guard let member = document.member(name, of: object) else { return nil }
        return try checked(document.string(at: member), name, otherwise: refuse)
    }

    private func checked(
        _ text: String?, _ name: StaticString, or other: String? = nil, otherwise refuse: (String) -> Refusal
    ) throws(Refusal) -> String {
        guard let text else { throw refuse("`\(name)` must be a string" + (other.map { " or \($0)" } ?? "")) }
        guard text.fits(limits) else { throw .tooLong(field: name.description, limit: limits.ofStrings) }
        // PostgreSQL's text can't store it (SQLSTATE 22021).
        guard !text.holdsNull else { throw refuse("`\(name)` contains U+0000; remove it") }
        return text
    }
}
