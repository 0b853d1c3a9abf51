import Foundation

/// The device's id. It is made once, and only where it is certain that there is none: a second id would be a second device.
struct DeviceIdentity: Sendable {
    private let keychain: any Keychain
    private let folder: Folder
    private let known = Locked<String?>(nil)

    init(keychain: any Keychain, folder: Folder) {
        self.keychain = keychain
        self.folder = folder
    }

    /// - Returns: nil if it can't be told now. Events wait.
    func id() -> String? {
        if let id = known.withValue({ $0 }) { return id }
        let id = readOrMake()
        if let id { known.withValue { $0 = id } }
        return id
    }

    private func readOrMake() -> String? {
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
