package import HTTPTypes

/// Who can see the web console.
package struct ConsoleOptions: Sendable {
    package enum Access: String, Sendable, CaseIterable {
        /// Visitors who log in with a key that has the role `read` or `manage`.
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
    /// The header in which it gives that person's role: `manage` may act, any other may only read; nil: all may only read.
    package var roleHeader: HTTPField.Name?

    package init() {}
}
