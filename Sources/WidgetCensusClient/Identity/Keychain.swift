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
