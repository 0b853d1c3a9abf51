extension Pool {
    /// The pool at one moment.
    public struct Statistics: Sendable, Hashable {
        public var idle: Int
        public var busy: Int
        /// Being opened.
        public var opening: Int
        /// Callers without a connection.
        public var waiting: Int
        public var maximum: Int
        /// Since the pool was made: connections opened, attempts that failed, callers refused for want of a connection.
        public var opened: Int
        public var openFailures: Int
        public var refused: Int
    }
}
