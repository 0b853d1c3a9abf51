internal import CensusCore
internal import CensusStore

extension ManifestDraft {
    /// What an app's devices hold, as a manifest.
    init(_ held: HeldWidgets, app: App) {
        self.app = Value(text: app.id, origin: "as given")
        if let newest = Version.sorted(held.versions).last(where: { !$0.isEmpty }) {
            version = Value(text: newest, origin: "the newest version on active devices")
        }
        for kind in held.kinds { add(kind, of: held.devices) }
    }

    private mutating func add(_ kind: HeldWidgets.HeldKind, of devices: Int) {
        func share(_ count: Int) -> String {
            "\(count.counted("device")) (\(devices > 0 ? (Double(count) / Double(devices)).asPercentage : "0%"))"
        }
        var entry = Entry(id: kind.id, families: nil, intent: .unstated, origin: "on \(share(kind.devices))")
        let families = kind.families.filter { $0.name != nil && $0.name != Batch.other }
        if !families.isEmpty {
            entry.families = Set(families.compactMap(\.name))
            entry.remarks.append(
                "families: " + families.map { "\($0.name ?? "") on \(share($0.devices))" }.joined(separator: ", "))
        }
        let unnamed = kind.families.filter { $0.name == nil || $0.name == Batch.other }.reduce(0) { $0 + $1.devices }
        if unnamed > 0 {
            entry.remarks.append("families: not known on \(share(unnamed))")
            if entry.families != nil {
                // It might offer more than these.
                entry.families = nil
                lacks("the families of \(kind.id): not known on \(share(unnamed)); add those that the version offers")
            }
        }
        let intents = kind.intents.filter { $0.name != nil }
        let named = intents.map { "\($0.name ?? "") on \(share($0.devices))" }.joined(separator: ", ")
        switch intents.count {
        case 0: entry.remarks.append("intent: not stated, because no device sends one")
        case 1:
            entry.intent = .init(intents[0].name)
            entry.remarks.append("intent: \(named)")
        default: lacks("the intent of \(kind.id): devices have \(named); add the one that the version ships")
        }
        add(entry)
    }
}
