import Foundation

/// Whether the user allows this device to be counted.
enum Consent: Hashable, Codable, Sendable {
    /// - Parameter era: begins each time the user agrees again; nil for the first. What was kept in one is never sent in another.
    case given(era: String?)
    case objected
}

/// Where the user's decision is stored, for all processes of the app.
struct ConsentFile: Sendable {
    private let file: StateFile<Consent>

    init(folder: Folder) { file = StateFile(folder: folder, name: "state/consent.json") }

    /// - Throws: if it can't be read or understood. Then nothing is kept, sent or deleted.
    func consent() throws(FileFailure) -> Consent {
        switch file.reading {
        case .value(let consent): return consent
        case .absent: return .given(era: nil)
        case .notNow, .broken: throw .notNow
        }
    }

    func write(_ consent: Consent) throws(FileFailure) { try file.write(consent) }
}
