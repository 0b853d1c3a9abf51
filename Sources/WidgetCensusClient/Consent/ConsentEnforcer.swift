import Foundation

/// Carries out what the user decides. Each step may be the process's last: the next process of the app goes on from there.
struct ConsentEnforcer: Sendable {
    private let shared: Folder
    /// The app's own; nil in an extension, which can't reach it.
    private let own: Folder?
    private let device: DeviceIdentity
    private let file: ConsentFile
    /// One thread at a time: completing an objection must not undo an agreement.
    private let turn = Locked(())

    init(shared: Folder, own: Folder?, device: DeviceIdentity) {
        self.shared = shared
        self.own = own
        self.device = device
        file = ConsentFile(folder: shared)
    }

    /// Records that the user objects, then removes what was kept before.
    ///
    /// - Returns: false if either did not work.
    func object() -> Bool {
        turn.withValue { _ in
            guard keepObjection(), empty() else { return false }
            // At once, because the keychain survives the app and this file does not. If it fails, it is completed later.
            if own != nil { _ = device.retire() }
            return true
        }
    }

    /// Begins a new era, with a new device and a new installation. Only the app can.
    ///
    /// - Returns: false if the user still objects, as far as this device knows.
    func agree() -> Bool {
        turn.withValue { _ in
            if case .given? = try? file.consent() { return true }
            guard own != nil, keepObjection(), empty(), device.retire() else { return false }
            return (try? file.write(.given(era: UUID().uuidString))) != nil
        }
    }

    /// The user's decision, in the app before anything is sent. Completes an objection: a process may have ended within it, or
    /// another may have kept something since.
    func completed() throws(FileFailure) -> Consent {
        let result = turn.withValue { _ in
            Result { () throws(FileFailure) in
                let consent = try file.consent()
                if consent == .objected, !empty() || !device.retire() { throw .notNow }
                return consent
            }
        }
        return try result.get()
    }

    private func keepObjection() -> Bool {
        if (try? file.consent()) == .objected || (try? file.write(.objected)) != nil { return true }
        // A full disk may have room for it once the rest is gone.
        return empty() && (try? file.write(.objected)) != nil
    }

    /// - Returns: whether nothing that was kept about the user's widgets is left.
    private func empty() -> Bool {
        do {
            for folder in [shared, own].compactMap(\.self) {
                for subfolder in ["queue", "aside", "named", "new"] {
                    for name in try folder.names(in: subfolder) { try folder.remove(subfolder + "/" + name) }
                }
                for name in ["list", "gallery", "installation"] { try folder.remove("state/\(name).json") }
            }
            return true
        } catch {
            return false
        }
    }
}
