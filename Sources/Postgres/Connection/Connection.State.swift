extension Connection {
    /// The condition of a connection after a statement.
    enum Condition: Sendable {
        case clean, inTransaction
        case lost
        /// Lost because the server didn't answer, so other connections to it might be dead, too.
        case unanswered
    }

    /// The part of a connection that other threads can access.
    struct SharedState {
        private(set) var condition = Condition.lost
        private(set) var socket: Int32 = -1
        private var running: Interruption?
        private var isInterrupted = false

        /// - Returns: false if the connection takes no more statements.
        mutating func begin(_ interruption: Interruption) -> Bool {
            guard !isInterrupted else { return false }
            running = interruption
            return true
        }

        mutating func end(_ condition: Condition, _ socket: Int32) {
            self.condition = condition
            self.socket = socket
            running = nil
        }

        mutating func interrupt() {
            isInterrupted = true
            running?.request()
        }
    }
}
