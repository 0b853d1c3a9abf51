/// How much is read at once: what bounds the memory that reconciling takes, however long histories and lists are.
struct ReadRoom: Hashable, Sendable {
    /// Observations a page.
    var rows = 10_000
    /// Of texts; a page ends with the observation that reaches them. A list of the smallest widgets takes some ten times its
    /// bytes when it is read.
    var bytes = 2 << 20
    /// How much of stored states, and how much of new texts, a step takes. In memory they are some thirty times as much when
    /// they are full of the smallest widgets, as spans, entries and rows.
    var stepBytes = 4 << 20
    var plausibility = Plausibility()
}
