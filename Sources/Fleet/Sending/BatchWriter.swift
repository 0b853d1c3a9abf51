import CensusCore

/// Writes batches as docs/reference/contract.md describes them, with times of the device's clock.
///
/// It doesn't use CensusCore's encoding of events, because tests would miss a bug that reader and writer share.
struct BatchWriter: Sendable {
    private let appID: String
    private let clockError: Duration
    /// Kept, because most reports repeat the previous one.
    private var lastList: (widgets: [Placement: Int], json: JSONBytes)?

    init(appID: String, clockError: Duration) {
        self.appID = appID
        self.clockError = clockError
    }

    mutating func body(
        of notes: some Collection<Note>, from context: Note.Context, bootedAt: Timestamp, sentAt: Timestamp
    ) -> [UInt8] {
        var json = JSONBytes(capacity: 512 + 256 * notes.count)
        json.raw(#"{"sent_at":"#)
        json.time(sentAt + clockError)
        json.raw(#","app":{"id":"#)
        json.quoted(appID)
        json.raw(#","version":"#)
        json.quoted(context.appVersion)
        json.raw(#"},"device":{"id":"#)
        json.quoted(context.device)
        json.raw(#","platform":"#)
        json.quoted(context.system.platform.rawValue)
        json.raw(#","os_version":"#)
        json.quoted(context.system.description)
        if context.bootWords != .flag {
            json.raw(#","booted_at":"#)
            json.time(bootedAt + clockError)
        }
        json.raw(#"},"installation":{"id":"#)
        json.quoted(context.installation)
        json.raw(#","first_launched_at":"#)
        json.time(context.firstLaunchedAt + clockError)
        if context.bootWords != .time { json.raw(context.rebooted ? #","rebooted":true"# : #","rebooted":false"#) }
        json.raw(#"},"events":["#)
        var isFirst = true
        for note in notes {
            if !isFirst { json.raw(",") }
            isFirst = false
            write(note, to: &json)
        }
        json.raw("]}")
        return json.bytes
    }

    private mutating func write(_ note: Note, to json: inout JSONBytes) {
        json.raw(#"{"id":"#)
        json.quoted(note.id)
        json.raw(#","type":"#)
        json.quoted(note.event.type.rawValue)
        json.raw(#","at":"#)
        json.time(note.at + clockError)
        json.raw(#","surface":"#)
        json.quoted(note.surface.rawValue)
        json.raw(#","source":"#)
        json.quoted(note.source.rawValue)
        write(note.event, to: &json)
        json.raw("}")
    }

    private mutating func write(_ event: Event, to json: inout JSONBytes) {
        switch event {
        case .reported(let list):
            json.raw(#","widgets":"#)
            let written = lastList?.widgets == list ? lastList?.json : nil
            let widgets = written ?? self.list(list)
            lastList = (list, widgets)
            json.text(widgets)
        case .readFailed(let domain, let code):
            json.raw(#","error":{"domain":"#)
            json.quoted(domain)
            json.raw(#","code":"#)
            json.number(code)
            json.raw("}")
        case .happened(_, to: let widget):
            json.raw(#","widget":"#)
            write(widget, count: 1, to: &json)
        case .restored(let instances):
            json.raw(#","instances":{"#)
            for (position, (old, new)) in instances.sorted(by: { $0.key < $1.key }).enumerated() {
                if position > 0 { json.raw(",") }
                json.quoted(old.text)
                json.raw(":")
                json.quoted(new)
            }
            json.raw("}")
        case .appOpened: break
        }
    }

    private func list(_ widgets: [Placement: Int]) -> JSONBytes {
        var json = JSONBytes(capacity: 128 * widgets.count + 2)
        json.raw("[")
        for (position, (placement, count)) in widgets.sorted(by: { $0.key < $1.key }).enumerated() {
            if position > 0 { json.raw(",") }
            write(placement, count: count, to: &json)
        }
        json.raw("]")
        return json
    }

    private func write(_ placement: Placement, count: Int, to json: inout JSONBytes) {
        json.raw(#"{"kind":"#)
        json.quoted(placement.kind)
        for (name, value) in [
            (#","family":"#, placement.family), (#","intent":"#, placement.intent),
            (#","configuration":"#, placement.configuration), (#","instance":"#, placement.instance),
        ] as [(StaticString, String?)] {
            guard let value else { continue }
            json.raw(name)
            json.quoted(value)
        }
        if count != 1 {
            json.raw(#","count":"#)
            json.number(Int64(count))
        }
        json.raw("}")
    }
}
