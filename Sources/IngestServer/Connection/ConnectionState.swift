internal import NIOCore

/// What may happen next on one connection, decided from what has passed over it.
///
/// A pure value: ``ConnectionHandler`` tells it what came and when, and does what it says. Requests are answered one after the
/// other, in the order in which they came. It never waits for a client without a deadline, and reads no more than it can use.
struct ConnectionState {
    typealias Instant = NIODeadline

    struct Limits {
        /// From a request's first byte to its last, and for a client to take something of an answer.
        var request: TimeAmount = .seconds(10)
        /// For a client between two requests.
        var idle: TimeAmount = .seconds(20)
        /// For a client to close its side after the last answer.
        var farewell: TimeAmount = .seconds(2)
        /// Requests that are parsed and not answered. A client that waits for its answers has one.
        var requests = ConnectionState.mostAtOnce
        /// Bytes that are read and thrown away after the last request that is answered.
        var thrownAway = 128 << 10
        /// Bytes of a body that are read before anybody asks for it.
        var unaskedBytes = 8 << 10
        /// A body's parts may be smaller than ``bytesOfPart`` up to this many: parsing one costs as much as that many bytes.
        var freeParts = 256
        var bytesOfPart = 32
    }

    static let mostAtOnce = 16

    /// What to do with a part that was parsed.
    enum Intake: Equatable {
        case take
        /// It belongs to no request that is answered.
        case drop
        /// The body arrives in so many small parts that parsing them is most of the work: its request fails.
        case cutOff
    }

    /// What becomes of the connection.
    enum Ending: Equatable {
        case close
        /// The client loses what it did not take.
        case reset
    }

    /// Whose turn it is.
    enum Turn: Equatable {
        /// The server has a whole request to answer.
        case work
        /// It is the client's turn, to send or to read; or a part of what it owes has arrived.
        case wait
    }

    /// What a deadline that has passed means.
    enum Lateness: Equatable {
        /// The request's body is late: its reader learns of it.
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
        /// Whether somebody reads its body.
        var isAsked = false
        var isFull = false
        /// Whether its body was ended before it was whole.
        var hasFailed = false
    }

    /// After the last answer our side closes first: with bytes unread the client might lose the answer.
    private enum Farewell {
        case none
        /// What was answered is being written.
        case writing
        /// Our side is closed.
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
    /// Requests that were parsed, the current one included.
    private var requests = 0
    private var bodyBytes = 0
    private var bodyParts = 0
    private var sawPart = false
    /// When the first bytes of the head came that was parsed in this read, where that was before.
    private var headSince: Instant?
    private var lastMove: Instant
    private var blockedSince: Instant?
    /// The current request is the last one, or the next if there is none.
    private var isLast = false
    /// No more comes from the client.
    private(set) var inputEnded = false
    private var farewell = Farewell.none
    private var thrownAway = 0
    private var turn = Turn.wait
    private var hasProgress = false

    init(limits: Limits = Limits(), at now: Instant) {
        self.limits = limits
        lastMove = now
    }

    // MARK: What comes from the client

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
        return .take
    }

    /// What came is not HTTP: the request whose body it is fails, or gets no more than an answer that says so.
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
        // The beginning of a head that came together with the end of the request before is noticed with the next bytes.
        parser = .head(since: now)
        hasProgress = true
    }

    /// Bytes came that are not parsed.
    ///
    /// - Returns: whether that is enough.
    mutating func threwAway(_ bytes: Int) -> Bool {
        thrownAway += bytes
        return thrownAway > limits.thrownAway
    }

    mutating func ended() { inputEnded = true }

    /// Whether bytes are thrown away unparsed.
    var isStopped: Bool { if case .stopped = parser { true } else { false } }

    private mutating func stop() { parser = .stopped }

    // MARK: Requests

    /// Whether the next request that was parsed may begin.
    var mayBegin: Bool { current == nil && blockedSince == nil && !isLast }

    /// A request begins.
    ///
    /// - Parameter isLast: whether the connection ends with its answer.
    mutating func begin(isLast: Bool, at now: Instant) {
        // A slow head has used up some of the time; one that waited behind another request has not.
        current = Current(deadline: (headSince ?? now) + limits.request)
        headSince = nil
        if isLast { self.isLast = true }
    }

    /// A part of the current request's body is passed on.
    ///
    /// - Returns: false when nobody reads it any more.
    mutating func passed(_ bytes: Int) -> Bool {
        current?.bytes += bytes
        current?.parts += 1
        return current?.isAnswered == false && current?.hasFailed == false
    }

    /// The current request is whole.
    mutating func received() {
        current?.isReceived = true
        finishIfDone()
    }

    /// Whether nothing of the current request's body has come, and somebody could still use it.
    var isWaitingForBody: Bool { current.map { !$0.isReceived && !$0.isAnswered && $0.parts == 0 } ?? false }

    /// Somebody reads the current request's body.
    mutating func asked() { current?.isAsked = true }

    /// Whether its reader has more than it can use.
    mutating func filled(_ isFull: Bool) { current?.isFull = isFull }

    /// Whether a request has begun that is not whole.
    var isReceiving: Bool { current?.isReceived == false }

    /// The current request's body ends before it is whole; the connection ends with its answer.
    mutating func failBody() {
        current?.hasFailed = true
        isLast = true
        stop()
    }

    /// An answer to the current request is written.
    ///
    /// - Returns: whether the connection ends with it.
    mutating func answer() -> Bool {
        if (isStopped || inputEnded) && requests <= 1 { isLast = true }
        return isLast
    }

    /// The end of the answer was handed to the channel.
    mutating func answered(at now: Instant) {
        current?.isAnswered = true
        requests -= 1
        lastMove = now
        finishIfDone()
    }

    private mutating func finishIfDone() {
        if let current, current.isReceived, current.isAnswered { self.current = nil }
    }

    /// The client takes its answers no more, or again.
    mutating func block(_ isBlocked: Bool, at now: Instant) {
        blockedSince = isBlocked ? now : nil
        lastMove = now
    }

    /// The server stops: a request that has begun is answered.
    mutating func quiesce() { isLast = true }

    // MARK: What follows

    /// Whether more bytes may be read.
    var mayRead: Bool {
        if isStopped { return true }
        // One request ahead is enough: the rest stays with the client.
        guard blockedSince == nil, requests <= 1 else { return false }
        guard let current, !current.isReceived, !current.isAnswered, !current.hasFailed else { return true }
        if current.bytes + current.parts * limits.bytesOfPart <= limits.unaskedBytes { return true }
        return current.isAsked && !current.isFull
    }

    /// - Returns: whether nothing more will be answered, once: all is to be flushed, and ``flushed(at:)`` called.
    mutating func ends() -> Bool {
        guard case .none = farewell, current?.isAnswered ?? true else { return false }
        guard isLast || (current == nil && requests == 0 && (inputEnded || isStopped)) else { return false }
        farewell = .writing
        current = nil
        stop()
        return true
    }

    /// The client's system has all that was answered.
    ///
    /// - Returns: whether the connection is closed; otherwise our side of it.
    mutating func flushed(at now: Instant) -> Bool {
        farewell = .said(now)
        return inputEnded
    }

    /// Whether both sides have ended.
    var isOver: Bool { if case .said = farewell { inputEnded } else { false } }

    /// When to call ``isLate(at:)``; nil while it is the server's turn.
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
