/// What was deleted of a forgotten device.
package struct Erasure: Hashable, Sendable {
    /// Accepted and refused events.
    package var events = 0
    /// Whether the device was counted.
    package var wasCounted = false
}
