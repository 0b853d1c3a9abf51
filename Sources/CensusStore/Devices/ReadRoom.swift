/// How much is read at once. It bounds the memory that reconciling takes, however long histories and lists are.
struct ReadRoom: Hashable, Sendable {
    /// Observations per page.
    var rows = 10_000
    /// Bytes of texts per page, which ends with the observation that reaches them. A list of the smallest widgets takes about
    /// ten times its bytes once read.
    var bytes = 2 << 20
    /// Bytes of stored states, and of new texts, that a step takes. Full of the smallest widgets they take about thirty times
    /// as much memory, as spans, entries and rows.
    var stepBytes = 4 << 20
    var plausibility = Plausibility()
}
