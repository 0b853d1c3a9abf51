import CensusCore

/// Writes batches of contract v1 by the device's clock.
///
/// On its own feet, without CensusCore's spelling of events: a fault that reader and writer shared would go unseen.
struct BatchWriter: Sendable {
    let appID: String
    let clockError: Duration

    func body(of notes: some Collection<Note>, from context: Note.Context, sentAt: Timestamp) -> [UInt8] {
        var installation = #"{"id":\#(context.installation.jsonQuoted)"#
        if let launched = context.firstLaunchedAt { installation += #","first_launched_at":\#(time(launched))"# }
        let members = [
            #""sent_at":\#(time(sentAt))"#,
            #""app":{"id":\#(appID.jsonQuoted),"version":\#(context.appVersion.jsonQuoted)}"#,
            #""device":{"id":\#(context.device.jsonQuoted),"platform":"ios","#
                + #""os_version":"\#(context.system)","booted_at":\#(time(context.bootedAt))}"#,
            #""installation":\#(installation)}"#,
            #""events":[\#(notes.map(event).joined(separator: ","))]"#,
        ]
        return Array("{\(members.joined(separator: ","))}".utf8)
    }

    private func time(_ instant: Timestamp) -> String { "\"\(instant + clockError)\"" }

    private func event(_ note: Note) -> String {
        #"{"id":"\#(note.id)","type":"\#(note.event.type.rawValue)","at":\#(time(note.at)),"#
            + #""surface":"widget","source":"\#(note.source)",\#(content(of: note.event))}"#
    }

    private func content(of event: Event) -> String {
        switch event {
        case .reported(let list):
            let widgets = list.sorted { $0.key < $1.key }.map { widget($0.key, count: $0.value) }
            return #""widgets":[\#(widgets.joined(separator: ","))]"#
        case .readFailed(let domain, let code):
            return #""error":{"domain":\#(domain.jsonQuoted),"code":\#(code)}"#
        case .installed(let one), .removed(let one), .configured(let one), .opened(let one), .rendered(let one):
            return #""widget":\#(widget(one))"#
        case .restored(let instances):
            let renamed = instances.sorted { $0.key < $1.key }.map { "\($0.key.jsonQuoted):\($0.value.jsonQuoted)" }
            return #""instances":{\#(renamed.joined(separator: ","))}"#
        }
    }

    private func widget(_ placement: Placement, count: Int = 1) -> String {
        var text = #"{"kind":\#(placement.kind.jsonQuoted)"#
        if let family = placement.family { text += #","family":\#(family.jsonQuoted)"# }
        if let intent = placement.intent { text += #","intent":\#(intent.jsonQuoted)"# }
        if let configuration = placement.configuration { text += #","configuration":\#(configuration.jsonQuoted)"# }
        if let instance = placement.instance { text += #","instance":\#(instance.jsonQuoted)"# }
        if count != 1 { text += #","count":\#(count)"# }
        return text + "}"
    }
}
