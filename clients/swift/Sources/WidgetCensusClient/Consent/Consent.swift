import Foundation

/// Whether the user allows this device to be counted.
enum Consent: Hashable, Codable, Sendable {
    /// - Parameter era: a new one starts each time the user agrees again; nil for the first. Events of one era are never sent
    ///   in another.
    case given(era: String?)
    case objected
}

/// Stores the user's decision for all processes of the app.
struct ConsentFile: Sendable {
    private let file: StateFile<Consent>

    init(folder: Folder) { file = StateFile(folder: folder, name: "state/consent.json") }

    /// - Throws: if the file can't be read or decoded. Then the client stores, sends and deletes nothing.
    func consent() throws(FileFailure) -> Consent {
        switch file.reading {
        case .value(let consent): return consent
        case .absent: return .given(era: nil)
        case .notNow, .broken: throw .notNow
        }
    }

    func write(_ consent: Consent) throws(FileFailure) { try file.write(consent) }
}
