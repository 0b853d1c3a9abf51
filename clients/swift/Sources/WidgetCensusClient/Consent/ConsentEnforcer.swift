import Foundation

/// Carries out the user's decision. The process can end after any step, and the next process of the app continues from there.
struct ConsentEnforcer: Sendable {
    private let shared: Folder
    /// The app's own folder; nil in an extension, which can't access it.
    private let own: Folder?
    /// Where a release without the app group kept what is shared now.
    private let before: Folder?
    private let device: DeviceIdentity
    private let file: ConsentFile
    /// Lets in one thread at a time, because completing an objection must not undo an agreement.
    private let turn = Locked(())

    /// - Parameter consents: by default, the shared folder's, where nobody must agree first.
    init(
        shared: Folder, own: Folder?, before: Folder? = nil, device: DeviceIdentity, consents: ConsentFile? = nil
    ) {
        self.shared = shared
        self.own = own
        self.before = before
        self.device = device
        file = consents ?? ConsentFile(folder: shared)
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

    /// After an objection, starts a new era, with a new device and a new installation. Only the app can do this.
    ///
    /// - Returns: false if the agreement could not be stored.
    func agree() -> Bool {
        turn.withValue { _ in
            let consent = try? file.consent()
            if case .given? = consent { return true }
            if consent == .awaited {
                // What waits is from a release that didn't wait for the user.
                guard own != nil, empty(keepingInstallation: true) else { return false }
                return (try? file.write(.given(era: nil))) != nil
            }
            guard own != nil, keepObjection(), empty(), device.retire() else { return false }
            return (try? file.write(.given(era: UUID().uuidString))) != nil
        }
    }

    /// Returns the user's decision; the app calls this before it sends anything. Completes an objection, because a process
    /// might have ended before it finished, or another one stored an event since.
    func completed() throws(FileFailure) -> Consent {
        let result = turn.withValue { _ in
            Result { () throws(FileFailure) in
                try adopt()
                let consent = try file.consent()
                if consent == .objected, !empty() || !device.retire() { throw .notNow }
                return consent
            }
        }
        return try result.get()
    }

    /// Moves what a release without the app group left: the decision, events, and ids to erase.
    private func adopt() throws(FileFailure) {
        guard let before else { return }
        try file.adopt()
        for subfolder in ["queue", "forget"] {
            for name in try before.names(in: subfolder) {
                let path = subfolder + "/" + name
                // If the process ends in between, the next one writes the same file again.
                try shared.write(before.contents(of: path), to: path)
                try before.remove(path)
            }
        }
        try clear(before)
    }

    private func keepObjection() -> Bool {
        if (try? file.consent()) == .objected || (try? file.write(.objected)) != nil { return true }
        // On a full disk there might be space once the rest is deleted.
        return empty() && (try? file.write(.objected)) != nil
    }

    /// Deletes everything stored about the user's widgets.
    ///
    /// - Returns: whether all of it is gone.
    private func empty(keepingInstallation: Bool = false) -> Bool {
        do {
            for folder in [shared, own, before].compactMap(\.self) {
                try clear(folder, keepingInstallation: keepingInstallation)
            }
            return true
        } catch {
            return false
        }
    }

    private func clear(_ folder: Folder, keepingInstallation: Bool = false) throws(FileFailure) {
        for subfolder in ["queue", "aside", "named", "new"] {
            for name in try folder.names(in: subfolder) { try folder.remove(subfolder + "/" + name) }
        }
        let states = ["list", "gallery"] + (keepingInstallation ? [] : ["installation"])
        for name in states { try folder.remove("state/\(name).json") }
    }
}
