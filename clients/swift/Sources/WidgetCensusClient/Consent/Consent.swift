import Foundation

/// Whether users must agree before anything is stored.
public enum ConsentRequirement: Sendable {
    /// The client counts until ``Census/optOut()``.
    case notRequired
    /// Until ``Census/optIn()`` has returned true once, nothing is stored or sent, in the app and its extensions.
    case required
}

/// Whether the user allows this device to be counted.
enum Consent: Hashable, Codable, Sendable {
    /// - Parameter era: a new one starts each time the user agrees again; nil for the first. Events of one era are never sent
    ///   in another.
    case given(era: String?)
    case objected
    /// The user must agree first, and has not decided. This is never stored.
    case awaited
}

/// Stores the user's decision for all processes of the app.
struct ConsentFile: Sendable {
    private let file: StateFile<Consent>
    /// Of a release without the app group.
    private let before: StateFile<Consent>?
    private let requirement: ConsentRequirement

    init(folder: Folder, before: Folder? = nil, requirement: ConsentRequirement = .notRequired) {
        self.requirement = requirement
        file = StateFile(folder: folder, name: "state/consent.json")
        self.before = before.map { StateFile(folder: $0, name: "state/consent.json") }
    }

    /// - Throws: if a file can't be read or decoded. Then the client stores, sends and deletes nothing.
    func consent() throws(FileFailure) -> Consent {
        let (now, before) = (try decision(in: file), try before.map(decision) ?? nil)
        return [now, before].contains(.objected) ? .objected : now ?? before ?? undecided
    }

    private var undecided: Consent { requirement == .required ? .awaited : .given(era: nil) }

    private func decision(in file: StateFile<Consent>) throws(FileFailure) -> Consent? {
        switch file.reading {
        case .value(let consent): return consent
        case .absent: return nil
        case .notNow, .broken: throw .notNow
        }
    }

    /// Moves a decision from before the group into the group.
    func adopt() throws(FileFailure) {
        guard let before, try decision(in: before) != nil else { return }
        try write(consent())
    }

    func write(_ consent: Consent) throws(FileFailure) {
        try file.write(consent)
        try before?.remove()
    }
}
