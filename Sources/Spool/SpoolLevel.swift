/// How much the spool holds, and whether it takes more.
package struct SpoolLevel: Hashable, Sendable {
    package enum Condition: Hashable, Sendable {
        case open
        /// A batch did not fit, and nothing was removed since.
        case full
        /// The last write to the disk failed.
        case failing(SpoolError)
    }

    /// Batches that wait for the store.
    package var batches = 0
    /// Bytes of the batches, including those set aside.
    package var bytes = 0
    package var limit: Int
    /// Batches that can't be stored, or not by this version of the program. They need manual action.
    package var setAside = 0
    /// Batches lost to damaged files since this process opened the spool, at most.
    package var lost = 0
    package var condition = Condition.open
    /// Whether the files might still have traces of removed batches.
    package var isDirty = false

    package var takesMore: Bool { condition == .open && bytes < limit }
}
