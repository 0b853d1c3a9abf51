import Foundation

/// The device's id. It is made once, and only if there is certainly none, because a second id would count as a second device.
struct DeviceIdentity: Sendable {
    private let keychain: any Keychain
    private let folder: Folder
    private let consents: ConsentFile
    private let known = Locked<(era: String?, id: String)?>(nil)

    /// - Parameter consents: by default, the folder's, where nobody must agree first.
    init(keychain: any Keychain, folder: Folder, consents: ConsentFile? = nil) {
        self.keychain = keychain
        self.folder = folder
        self.consents = consents ?? ConsentFile(folder: folder)
    }

    /// - Returns: nil if it is unknown for now; events wait.
    func id(in era: String?) -> String? {
        known.withValue { known in
            if let known, known.era == era { return known.id }
            guard let id = readOrMake(in: era) else { return nil }
            known = (era, id)
            return id
        }
    }

    /// Removes the id from the keychain while the user objects, and records it for the service to erase. The next id is made
    /// after the user has agreed again.
    ///
    /// - Returns: whether the keychain certainly has no id.
    func retire() -> Bool {
        known.withValue { known in
            known = nil
            // Another thread might have made a new id already. The file being readable shows that the device is unlocked.
            guard (try? consents.consent()) == .objected else { return false }
            if case .found(let id) = keychain.read() {
                guard (try? DevicesToForget(folder: folder).add(id)) != nil else { return false }
                keychain.remove()
            }
            return keychain.read() == .absent
        }
    }

    private func readOrMake(in era: String?) -> String? {
        guard (try? consents.consent()) == .given(era: era) else { return nil }
        switch keychain.read() {
        case .found(let id): return id
        case .notNow: return nil
        case .absent:
            // Before the first unlock, the keychain can report no id although it has one.
            guard isUnlocked else { return nil }
            keychain.add(UUID().uuidString)
            // Read it back, because another process might have been first, and an id that is not stored would change tomorrow.
            guard case .found(let id) = keychain.read() else { return nil }
            return id
        }
    }

    /// Whether the device was unlocked since it started. Only then can files with the folder's protection be created and read.
    /// Unlike UIKit, this works in extensions, too.
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

/// Stores the device's id, so that it survives a reinstall and stays on this device.
protocol Keychain: Sendable {
    func read() -> KeychainAnswer

    /// Stores an id unless there is one.
    func add(_ id: String)

    func remove()
}

/// The group's keychain, with the id that a release without the group stored.
struct GroupKeychain: Keychain {
    let group: any Keychain
    let before: any Keychain

    /// Copies the id into the group, so that the phone stays one device.
    func read() -> KeychainAnswer {
        let answer = group.read()
        guard answer == .absent else { return answer }
        let earlier = before.read()
        guard case .found(let id) = earlier else { return earlier }
        group.add(id)
        let copy = group.read()
        return copy == .absent ? .notNow : copy
    }

    func add(_ id: String) { group.add(id) }

    func remove() {
        group.remove()
        before.remove()
    }
}

enum KeychainAnswer: Hashable, Sendable {
    case found(String)
    /// There is certainly no id.
    case absent
    /// The keychain is locked, not permitted or broken, so nothing is known.
    case notNow
}
