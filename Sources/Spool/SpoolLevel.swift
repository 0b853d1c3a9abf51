/// How much the spool holds, and whether it accepts more.
package struct SpoolLevel: Hashable, Sendable {
    package enum Condition: Hashable, Sendable {
        case open
        /// Something did not fit, and nothing was removed since.
        case full
        /// The last write to the disk failed.
        case failing(SpoolError)
    }

    /// Batches that wait for the store.
    package var batches = 0
    /// How many bytes they take, including those set aside.
    package var bytes = 0
    package var limit: Int
    /// Batches that cannot be stored, or not by this version of the program; they wait for a person.
    package var setAside = 0
    /// Batches lost to damaged files since this process opened the spool, at most.
    package var lost = 0
    package var condition = Condition.open
    /// Whether the files may still hold traces of what was removed.
    package var isDirty = false

    package var takesMore: Bool { condition == .open && bytes < limit }
}
