/// What was deleted of a device that was forgotten.
package struct Erasure: Hashable, Sendable {
    /// Accepted and refused ones.
    package var events = 0
    /// Whether it was counted.
    package var wasCounted = false
}
