extension Pool {
    /// How many connections, and how long to wait for one.
    public struct Limits: Sendable, Hashable {
        /// Open ones, and those being opened or closed. Keep the sum over all processes below `max_connections`.
        public var maximumConnections: Int
        /// How long a caller waits for a connection, whether for one to become free or for a new one.
        public var acquireDeadline: Duration
        /// How long a connection may be unused before it is closed.
        public var idleTimeout: Duration
        /// Callers beyond this number are refused at once: they would only wait in vain.
        public var maximumWaiters: Int

        public init(
            maximumConnections: Int = 8, acquireDeadline: Duration = .seconds(5), idleTimeout: Duration = .seconds(60),
            maximumWaiters: Int = 1024
        ) {
            self.maximumConnections = max(maximumConnections, 1)
            self.acquireDeadline = acquireDeadline
            self.idleTimeout = idleTimeout
            self.maximumWaiters = max(maximumWaiters, 0)
        }
    }
}
