/// How many connections are allowed, and how many there are.
///
/// A pure value: ``ConnectionCount`` owns it and acts on what it says.
package struct ConnectionLimit: Equatable, Sendable {
    /// File descriptors that are kept for everything other than clients' connections: sessions with PostgreSQL, the spool, logs,
    /// what the system's libraries open on their own. Without any left the process dies or hangs.
    package static let reserve = 256
    /// With fewer there is no point in serving.
    private static let least = 16

    package private(set) var maximum: Int
    private(set) var open = 0
    private(set) var opened = 0
    /// How often one more had to wait to be accepted.
    private(set) var full = 0
    private var isFull = false

    package init(maximum: Int) { self.maximum = maximum }

    /// - Parameters:
    ///   - wanted: what the settings ask for.
    ///   - descriptors: how many this process may open (setrlimit(2), RLIMIT_NOFILE).
    /// - Returns: as many as wanted, or as many as leave the reserve free; nil when that is hardly any.
    package static func fitting(_ wanted: Int, descriptors: Int) -> ConnectionLimit? {
        let limit = min(wanted, descriptors - reserve)
        return limit >= min(wanted, least) ? ConnectionLimit(maximum: limit) : nil
    }

    /// Whether one more may be accepted now. Called before each.
    mutating func hasRoom() -> Bool {
        let hasRoom = open < maximum
        if !hasRoom, !isFull { full += 1 }
        isFull = !hasRoom
        return hasRoom
    }

    mutating func come() {
        open += 1
        opened += 1
    }

    mutating func go() { open -= 1 }
}
