import Foundation

/// The installation's id and first launch, recorded when the app first runs.
///
/// It is stored in the app's own container, which is deleted with the app; the app group's can stay for another app of the
/// group. A copy in the group is for the extension. Backups have neither.
struct InstallationIdentity: Sendable {
    /// The app's own file; nil in an extension, which can't access it.
    private let own: StateFile<Installation>?
    private let shared: StateFile<Installation>
    private let documentsCreated: @Sendable () -> Date?
    private let known = Locked<Installation?>(nil)

    init(own: Folder?, shared: Folder, documentsCreated: @escaping @Sendable () -> Date?) {
        self.own = own.map { StateFile(folder: $0, name: "state/installation.json") }
        self.shared = StateFile(folder: shared, name: "state/installation.json")
        self.documentsCreated = documentsCreated
    }

    /// - Returns: nil if it can't be read now, or, in an extension, if the app never ran in this era.
    func current(in era: String?) -> Installation? {
        if let known = known.withValue({ $0 }), known.era == era { return known }
        let kept = own.map(\.value) ?? shared.value
        return kept?.era == era ? kept : nil
    }

    /// Makes the installation if there is none. The app calls this before anything else.
    func prepare(in era: String?, bootSession: String?, now: Date) {
        guard let own else { return }
        if let known = known.withValue({ $0 }), known.era == era { return }
        guard let installation = readOrMake(own, era, bootSession: bootSession, now: now) else { return }
        known.withValue { $0 = installation }
        // Without the copy, the extension's events have no installation, and the app adds it when it sends them.
        if shared.value != installation { try? shared.write(installation) }
    }

    private func readOrMake(
        _ own: StateFile<Installation>, _ era: String?, bootSession: String?, now: Date
    ) -> Installation? {
        switch own.reading {
        case .value(let installation) where installation.era == era: return installation
        case .notNow: return nil
        case .value, .broken, .absent:
            // The first launch would link this era's installation to the one of the era before.
            let created = era == nil ? documentsCreated() : nil
            var new = Installation.new(created: created, bootSession: bootSession, now: now)
            new.era = era
            if own.isBroken, let copy = shared.value, copy.era == era { new = copy }
            guard (try? own.write(new)) != nil else { return nil }
            // Read it back, because another process of the app might have been faster.
            return own.value
        }
    }
}

extension StateFile {
    fileprivate var isBroken: Bool { if case .broken = reading { true } else { false } }
}
