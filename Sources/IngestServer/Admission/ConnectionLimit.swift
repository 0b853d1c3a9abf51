/// How many connections are allowed, and how many there are.
///
/// A pure value: ``ConnectionCount`` owns it and carries out its decisions.
package struct ConnectionLimit: Equatable, Sendable {
    /// File descriptors reserved for everything but clients' connections: PostgreSQL sessions, the spool, logs, and what system
    /// libraries open. Without any left the process dies or hangs.
    package static let reserve = 256
    /// With fewer connections the server doesn't start.
    private static let least = 16

    package private(set) var maximum: Int
    private(set) var open = 0
    private(set) var opened = 0
    /// How many times the limit was reached.
    private(set) var full = 0
    private var isFull = false

    package init(maximum: Int) { self.maximum = maximum }

    /// - Parameters:
    ///   - wanted: from the settings.
    ///   - descriptors: how many this process can open (setrlimit(2), RLIMIT_NOFILE).
    /// - Returns: as many as wanted, or as many as leave the reserve free; nil if those are too few.
    package static func fitting(_ wanted: Int, descriptors: Int) -> ConnectionLimit? {
        let limit = min(wanted, descriptors - reserve)
        return limit >= min(wanted, least) ? ConnectionLimit(maximum: limit) : nil
    }

    /// Whether to accept one more connection now. Called before each.
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
