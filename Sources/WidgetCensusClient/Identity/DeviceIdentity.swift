import Foundation

/// The device's id. It is made once, and only where it is certain that there is none: a second id would be a second device.
struct DeviceIdentity: Sendable {
    private let keychain: any Keychain
    private let folder: Folder
    private let known = Locked<(era: String?, id: String)?>(nil)

    init(keychain: any Keychain, folder: Folder) {
        self.keychain = keychain
        self.folder = folder
    }

    /// - Returns: nil if it is unknown for now. Events wait.
    func id(in era: String?) -> String? {
        known.withValue { known in
            if let known, known.era == era { return known.id }
            guard let id = readOrMake(in: era) else { return nil }
            known = (era, id)
            return id
        }
    }

    /// While the user objects: remembers the id for the service to forget, and takes it from the keychain. The next one is made
    /// when the user has agreed again.
    ///
    /// - Returns: whether there is certainly none.
    func retire() -> Bool {
        known.withValue { known in
            known = nil
            // If another thread was faster, the id may be new. That the file can be read shows that the device is unlocked.
            guard (try? ConsentFile(folder: folder).consent()) == .objected else { return false }
            if case .found(let id) = keychain.read() {
                guard (try? DevicesToForget(folder: folder).add(id)) != nil else { return false }
                keychain.remove()
            }
            return keychain.read() == .absent
        }
    }

    private func readOrMake(in era: String?) -> String? {
        guard (try? ConsentFile(folder: folder).consent()) == .given(era: era) else { return nil }
        switch keychain.read() {
        case .found(let id): return id
        case .notNow: return nil
        case .absent:
            // Before the first unlock a keychain may say that there is none, and mean that it can't look.
            guard isUnlocked else { return nil }
            keychain.add(UUID().uuidString)
            // What it now says, not what was made: another process may have been first, and an id that it did not keep would
            // be another one tomorrow.
            guard case .found(let id) = keychain.read() else { return nil }
            return id
        }
    }

    /// Whether the device was unlocked since it started: files with the folder's protection can be made and read only then. This
    /// works in extensions, too, where UIKit can't be asked.
    private var isUnlocked: Bool {
        let name = "state/unlocked"
        do {
            try folder.write(Data([1]), to: name)
            return try folder.contents(of: name) == Data([1])
        } catch {
            return false
        }
    }
}

/// Where the device's id lives, so that it survives a reinstall and reaches no other device.
protocol Keychain: Sendable {
    func read() -> KeychainAnswer

    /// Keeps an id, unless there is one.
    func add(_ id: String)

    func remove()
}

enum KeychainAnswer: Hashable, Sendable {
    case found(String)
    /// The keychain says for certain that there is none.
    case absent
    /// Locked, not permitted or broken: nothing is known.
    case notNow
}
