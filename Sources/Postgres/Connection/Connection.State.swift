extension Connection {
    /// What can be done with a connection after a statement.
    enum Condition: Sendable {
        case clean, inTransaction
        case lost
        /// Lost in a way that may affect other connections to the same server: nothing was answered.
        case unanswered
    }

    /// The part of a connection that other threads may see and touch.
    struct SharedState {
        private(set) var condition = Condition.lost
        private(set) var socket: Int32 = -1
        private var running: Interruption?
        private var isInterrupted = false

        /// - Returns: false when the connection takes no more statements.
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
