/// How much the spool holds, and whether it takes more.
package struct SpoolLevel: Hashable, Sendable {
    package enum Condition: Hashable, Sendable {
        case open
        /// Something did not fit, and nothing was taken away since.
        case full
        /// The disk did not take the last thing it was given.
        case failing(SpoolError)
    }

    /// Parcels that wait for the store.
    package var batches = 0
    /// What they take, those that are set aside included.
    package var bytes = 0
    package var limit: Int
    /// Parcels that cannot be stored, or not by this program; they wait for a person.
    package var setAside = 0
    /// Parcels that a damaged file no longer gave back, at most: since this process opened the spool.
    package var lost = 0
    package var condition = Condition.open
    /// Whether the files may still hold what has left.
    package var isDirty = false

    package var takesMore: Bool { condition == .open && bytes < limit }
}
