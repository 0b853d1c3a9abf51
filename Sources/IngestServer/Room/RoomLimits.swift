/// How much memory and how many threads requests may take.
package struct RoomLimits: Hashable, Sendable {
    /// Of all requests that are being read, decoded, or wait for their commit.
    package var bytes = 64 << 20
    /// Of those with one key.
    package var bytesPerKey = 16 << 20
    /// A body that is larger, inflated, is decoded in turn: a smaller one takes a few milliseconds at most.
    package var lightBytes = 16 << 10
    /// What a light body may take while it is decoded, by its bytes: `[1,1,…]` and widgets of one letter are the worst.
    package var decodedFactor = 16
    /// Heavy bodies that wait for their turn, of one key and of all.
    package var waitingPerKey = 16
    package var waiting = 64
    /// For a heavy body's turn to come.
    package var turn: Duration = .milliseconds(2_500)

    package init() {}
}
