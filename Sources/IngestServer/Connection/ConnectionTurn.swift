/// Whose turn it is on one connection, judged by what passes over it.
///
/// A pure value: ``HeadWatch`` owns it and acts on what it says. It is the server's turn while it has a whole request to answer and the client reads its
/// answers; otherwise it is the client's, to send or to read.
struct ConnectionTurn {
    enum Change {
        /// The server has something to do.
        case work
        /// It begins to wait for the client, or has received a part of what it waited for.
        case wait
    }

    private var heads = 0
    private var ends = 0
    private var answers = 0
    private var isWorking = false
    private var isBlocked = false
    private var hasProgress = false

    /// Whether the latest request was answered while its body is still coming.
    var isAnsweredEarly: Bool { ends < heads && answers >= heads }

    mutating func headBegan() { hasProgress = true }

    mutating func headArrived() {
        heads += 1
        hasProgress = true
    }

    mutating func requestEnded() { ends += 1 }

    mutating func answered() { answers += 1 }

    /// The client does not read its answers, or does so again.
    mutating func block(_ isBlocked: Bool) { self.isBlocked = isBlocked }

    /// - Returns: what has changed since the last call.
    mutating func change() -> Change? {
        defer { hasProgress = false }
        let works = ends > answers && !isBlocked
        guard works == isWorking else {
            isWorking = works
            return works ? .work : .wait
        }
        return hasProgress && !works ? .wait : nil
    }
}
