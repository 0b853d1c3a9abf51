package import HTTPTypes

/// Who can see the web console.
package struct ConsoleOptions: Sendable {
    package enum Access: String, Sendable, CaseIterable {
        /// Visitors who log in with a key that has the role `read`.
        case key
        /// Everybody who reaches the address.
        case open
        /// Nobody: the paths don't exist.
        case off
    }

    package var access = Access.key
    /// The addresses of proxies whose headers the server trusts.
    package var trustedProxies: Set<String> = []
    /// The header in which a trusted proxy names the logged-in person; nil: none.
    package var loginHeader: HTTPField.Name?

    package init() {}
}
