/// What a reconciler rests after a step, in short pieces: a rush may end at any time.
struct Rest {
    static let longestPiece: Duration = .milliseconds(100)
    /// A step that was held up for longer was not at work.
    static let longestStep: Duration = .seconds(2)

    private let step: Duration
    private var taken: Duration = .zero
    /// Of all shares so far, and how many: at full load a crowd is answered at once now and then, and few wait.
    private var shares = (sum: 0.0, count: 0)

    /// - Parameter step: how long the step took.
    init(after step: Duration) { self.step = min(step, Rest.longestStep) }

    /// - Parameter share: how often the step's time is to be rested, as things are now.
    /// - Returns: how long to rest before asking again; nil when enough was rested.
    mutating func next(_ share: Double) -> Duration? {
        shares = (shares.sum + share, shares.count + 1)
        let piece = min(step * (shares.sum / Double(shares.count)) - taken, Rest.longestPiece)
        guard piece > .zero else { return nil }
        taken += piece
        return piece
    }
}
