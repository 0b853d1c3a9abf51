import Foundation

/// Carries out the user's decision. The process can end after any step, and the next process of the app continues from there.
struct ConsentEnforcer: Sendable {
    private let shared: Folder
    /// The app's own folder; nil in an extension, which can't access it.
    private let own: Folder?
    private let device: DeviceIdentity
    private let file: ConsentFile
    /// Lets in one thread at a time, because completing an objection must not undo an agreement.
    private let turn = Locked(())

    init(shared: Folder, own: Folder?, device: DeviceIdentity) {
        self.shared = shared
        self.own = own
        self.device = device
        file = ConsentFile(folder: shared)
    }

    /// Records that the user objects, then deletes everything stored before.
    ///
    /// - Returns: false if either failed.
    func object() -> Bool {
        turn.withValue { _ in
            guard keepObjection(), empty() else { return false }
            // Do it at once, because the keychain survives the app and this file does not. ``completed()`` retries if it fails.
            if own != nil { _ = device.retire() }
            return true
        }
    }

    /// Starts a new era, with a new device and a new installation. Only the app can do this.
    ///
    /// - Returns: false if the objection is still stored.
    func agree() -> Bool {
        turn.withValue { _ in
            if case .given? = try? file.consent() { return true }
            guard own != nil, keepObjection(), empty(), device.retire() else { return false }
            return (try? file.write(.given(era: UUID().uuidString))) != nil
        }
    }

    /// Returns the user's decision; the app calls this before it sends anything. Completes an objection, because a process
    /// might have ended before it finished, or another one stored an event since.
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
        // On a full disk there might be space once the rest is deleted.
        return empty() && (try? file.write(.objected)) != nil
    }

    /// Deletes everything stored about the user's widgets.
    ///
    /// - Returns: whether all of it is gone.
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
