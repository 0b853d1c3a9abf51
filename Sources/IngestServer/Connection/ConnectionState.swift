internal import NIOCore

/// Every decision about one connection: what to parse, read, answer and close.
///
/// A pure value: ``ConnectionHandler`` tells it what arrives and when, and carries out its decisions. Requests are answered one
/// after the other, in the order of their arrival. It never waits for a client without a deadline, and reads no more than it
/// can use.
struct ConnectionState {
    typealias Instant = NIODeadline

    struct Limits {
        /// From a request's first byte to its last, and for a client to read some of a response.
        var request: TimeAmount = .seconds(10)
        /// For a client between two requests.
        var idle: TimeAmount = .seconds(20)
        /// For a client to close its side after the last response.
        var farewell: TimeAmount = .seconds(2)
        /// Requests that are parsed and not answered. A client that waits for each response has only one.
        var requests = ConnectionState.mostAtOnce
        /// Bytes that are read and discarded after the last request that is answered.
        var thrownAway = 128 << 10
        /// Bytes of a body that are read before its reader asks for it.
        var unaskedBytes = 8 << 10
        /// How many more parts than one for every ``bytesOfPart`` bytes a body can have. Parsing a part costs as much as that
        /// many bytes.
        var freeParts = 256
        var bytesOfPart = 32
    }

    static let mostAtOnce = 16

    /// What to do with a part that was parsed.
    enum Intake: Equatable {
        case take
        /// It belongs to no request that will be answered.
        case drop
        /// The body arrives in too many small parts, so its request fails.
        case cutOff
    }

    /// How to end the connection.
    enum Ending: Equatable {
        case close
        /// The client loses what it has not read.
        case reset
    }

    /// Whose turn it is.
    enum Turn: Equatable {
        /// The server has a complete request to answer.
        case work
        /// The client's, to send or to read. Reported again when a part of its request has arrived.
        case wait
    }

    /// What to do after a deadline has passed.
    enum Lateness: Equatable {
        /// The request's body is late: fail its reader.
        case failBody
        case end(Ending, isUntaken: Bool = false)
    }

    /// The request that is being answered.
    private struct Current {
        var isReceived = false
        var isAnswered = false
        /// For its body.
        let deadline: Instant
        var bytes = 0
        var parts = 0
        /// Whether its reader has asked for the body.
        var isAsked = false
        var isFull = false
        /// Whether its body was ended before it was complete.
        var hasFailed = false
    }

    /// After the last response the server closes its side first and reads on: closing with unread bytes could make the client
    /// lose the response.
    private enum Farewell {
        case none
        /// The last response is being written.
        case writing
        /// The server's side is closed.
        case said(Instant)
    }

    private enum Parser {
        case between
        case head(since: Instant)
        case body
        /// Nothing is parsed any more.
        case stopped
    }

    private let limits: Limits
    private var parser = Parser.between
    private var current: Current?
    /// Requests that were parsed and not answered, including the current one.
    private var requests = 0
    private var bodyBytes = 0
    private var bodyParts = 0
    private var sawPart = false
    /// When the first bytes of the head that was parsed in this read arrived, if that was in an earlier read.
    private var headSince: Instant?
    private var lastMove: Instant
    private var blockedSince: Instant?
    /// Whether the current request is the last one, or the next if there is none.
    private var isLast = false
    private var isQuiescing = false
    /// Whether the client has closed its side.
    private(set) var inputEnded = false
    private var farewell = Farewell.none
    private var thrownAway = 0
    private var turn = Turn.wait
    private var hasProgress = false

    init(limits: Limits = Limits(), at now: Instant) {
        self.limits = limits
        lastMove = now
    }

    // MARK: Input from the client

    /// A head was parsed.
    mutating func headArrived() -> Intake {
        guard !isStopped else { return .drop }
        guard requests < limits.requests else {
            stop()
            return .drop
        }
        sawPart = true
        hasProgress = true
        requests += 1
        (bodyBytes, bodyParts) = (0, 0)
        if case .head(let since) = parser { headSince = since }
        parser = .body
        return .take
    }

    /// A part of a body was parsed.
    mutating func bodyArrived(_ bytes: Int) -> Intake {
        guard !isStopped else { return .drop }
        sawPart = true
        hasProgress = true
        bodyBytes += bytes
        bodyParts += 1
        guard bodyParts <= limits.freeParts + bodyBytes / limits.bytesOfPart else {
            stop()
            return .cutOff
        }
        return .take
    }

    /// The end of a request was parsed.
    mutating func endArrived() -> Intake {
        guard !isStopped else { return .drop }
        sawPart = true
        parser = .between
        if isQuiescing { stop() }
        return .take
    }

    /// The parser has failed. A request whose body was being read fails; otherwise the input gets an error response.
    mutating func broke() -> Intake {
        switch parser {
        case .stopped: return .drop
        case .body: break
        case .between, .head: requests += 1
        }
        stop()
        return .take
    }

    /// All bytes of a read were parsed.
    mutating func readEnded(at now: Instant) {
        defer { sawPart = false }
        headSince = nil
        lastMove = now
        guard case .between = parser, !sawPart else { return }
        // If a head began in the same read as the end of the request before, this is noticed only with the next bytes.
        parser = .head(since: now)
        hasProgress = true
    }

    /// Bytes were discarded unparsed.
    ///
    /// - Returns: whether the limit is exceeded.
    mutating func threwAway(_ bytes: Int) -> Bool {
        thrownAway += bytes
        return thrownAway > limits.thrownAway
    }

    mutating func ended() { inputEnded = true }

    /// Whether bytes are discarded unparsed.
    var isStopped: Bool { if case .stopped = parser { true } else { false } }

    private mutating func stop() { parser = .stopped }

    // MARK: Requests

    /// Whether the next parsed request can begin.
    var mayBegin: Bool { current == nil && blockedSince == nil && !isLast }

    /// A request begins.
    ///
    /// - Parameter isLast: whether the connection ends with its response.
    mutating func begin(isLast: Bool, at now: Instant) {
        // A slow head has used up some of the time, but the wait behind another request has not.
        current = Current(deadline: (headSince ?? now) + limits.request)
        headSince = nil
        if isLast { self.isLast = true }
    }

    /// A part of the current request's body is passed on.
    ///
    /// - Returns: false if nobody reads it any more.
    mutating func passed(_ bytes: Int) -> Bool {
        current?.bytes += bytes
        current?.parts += 1
        return current?.isAnswered == false && current?.hasFailed == false
    }

    /// The current request is complete.
    mutating func received() {
        current?.isReceived = true
        finishIfDone()
    }

    /// Whether nothing of the current request's body has arrived, and the request is not answered yet.
    var isWaitingForBody: Bool { current.map { !$0.isReceived && !$0.isAnswered && $0.parts == 0 } ?? false }

    /// The reader has asked for the current request's body.
    mutating func asked() { current?.isAsked = true }

    /// The buffer of the body's reader is full, or no longer.
    mutating func filled(_ isFull: Bool) { current?.isFull = isFull }

    /// Whether a request has begun that is not complete.
    var isReceiving: Bool { current?.isReceived == false }

    /// The current request's body ends before it is complete. The connection ends with its response.
    mutating func failBody() {
        current?.hasFailed = true
        isLast = true
        stop()
    }

    /// The response to the current request is about to be written.
    ///
    /// - Returns: whether the connection ends with it.
    mutating func answer() -> Bool {
        if (isStopped || inputEnded || isQuiescing) && requests <= 1 { isLast = true }
        return isLast
    }

    /// The end of the response was passed to the channel.
    mutating func answered(at now: Instant) {
        current?.isAnswered = true
        requests -= 1
        lastMove = now
        finishIfDone()
    }

    private mutating func finishIfDone() {
        if let current, current.isReceived, current.isAnswered { self.current = nil }
    }

    /// The client has stopped reading its responses, or reads them again.
    mutating func block(_ isBlocked: Bool, at now: Instant) {
        blockedSince = isBlocked ? now : nil
        lastMove = now
    }

    /// The server is stopping. Requests that were parsed are still answered, and one whose head was parsed is still received.
    mutating func quiesce() {
        isQuiescing = true
        if case .body = parser { return }
        stop()
    }

    /// The connection ends with the next response.
    mutating func endAfterResponse() { isLast = true }

    // MARK: Decisions

    /// Whether to read more bytes.
    var mayRead: Bool {
        if isStopped { return true }
        // One request ahead is enough. The rest stays with the client.
        guard blockedSince == nil, requests <= 1 else { return false }
        guard let current, !current.isReceived, !current.isAnswered, !current.hasFailed else { return true }
        if current.bytes + current.parts * limits.bytesOfPart <= limits.unaskedBytes { return true }
        return current.isAsked && !current.isFull
    }

    /// - Returns: true once, when nothing more will be answered. Then flush, and call ``flushed(at:)``.
    mutating func ends() -> Bool {
        guard case .none = farewell, current?.isAnswered ?? true else { return false }
        guard isLast || (current == nil && requests == 0 && (inputEnded || isStopped)) else { return false }
        farewell = .writing
        current = nil
        stop()
        return true
    }

    /// All responses were passed to the operating system.
    ///
    /// - Returns: whether to close the connection; otherwise close only the server's side.
    mutating func flushed(at now: Instant) -> Bool {
        farewell = .said(now)
        return inputEnded
    }

    /// Whether both sides have ended.
    var isOver: Bool { if case .said = farewell { inputEnded } else { false } }

    /// When to call ``lateness(at:)``; nil while it is the server's turn.
    var deadline: Instant? {
        if let blockedSince { return blockedSince + limits.request }
        switch farewell {
        case .none: break
        case .writing: return lastMove + limits.request
        case .said(let since): return since + limits.farewell
        }
        if let current {
            return current.isReceived || (current.hasFailed && !current.isAnswered) ? nil : current.deadline
        }
        if case .head(let since) = parser { return since + limits.request }
        return lastMove + limits.idle
    }

    /// - Returns: nil before the deadline.
    mutating func lateness(at now: Instant) -> Lateness? {
        guard let deadline, deadline <= now else { return nil }
        if blockedSince != nil { return .end(.reset, isUntaken: true) }
        if let current, !current.isAnswered, !current.hasFailed { return .failBody }
        return .end(.close)
    }

    /// - Returns: what has changed since the last call.
    mutating func turnChange() -> Turn? {
        defer { hasProgress = false }
        let works = current.map { $0.isReceived && !$0.isAnswered } == true && blockedSince == nil
        guard works == (turn == .work) else {
            turn = works ? .work : .wait
            return turn
        }
        return hasProgress && !works ? .wait : nil
    }
}
