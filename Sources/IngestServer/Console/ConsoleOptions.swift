package import HTTPTypes

/// Who may see the web console.
package struct ConsoleOptions: Sendable {
    package enum Access: String, Sendable, CaseIterable {
        /// Those who show a key with the role `read`, which is asked for once.
        case key
        /// Everybody who reaches the address.
        case open
        /// Nobody: there are no such paths.
        case off
    }

    package var access = Access.key
    /// The addresses of proxies whose headers are trusted.
    package var trustedProxies: Set<String> = []
    /// The header in which such a proxy names the person that it has let in; nil: none does.
    package var loginHeader: HTTPField.Name?

    package init() {}
}
