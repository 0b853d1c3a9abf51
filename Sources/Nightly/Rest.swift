/// What a reconciler rests after a step, in short pieces: a rush may begin or end at any time.
struct Rest {
    static let longestPiece: Duration = .milliseconds(100)

    /// How long the step took.
    let step: Duration
    private var taken: Duration = .zero

    init(after step: Duration) { self.step = step }

    /// - Parameter share: how often the step's time is to be rested, as things are now.
    /// - Returns: how long to rest before asking again; nil when enough was rested.
    mutating func next(_ share: Double) -> Duration? {
        let piece = min(step * share - taken, Rest.longestPiece)
        guard piece > .zero else { return nil }
        taken += piece
        return piece
    }
}
