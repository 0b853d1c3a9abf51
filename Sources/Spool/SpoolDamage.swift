/// The result of recovering a damaged segment of the spool.
package struct SpoolDamage: Hashable, Sendable {
    init(reason: String, file: String) {
        self.reason = reason
        self.file = file
    }

    /// What was wrong, without any data.
    package var reason: String
    /// The file's new name in the spool's folder, where an operator can look at it.
    package var file: String
    /// Batches that SQLite could read; they wait for the store.
    package var brought = 0
    /// Batches whose bytes differ from those written.
    package var damaged = 0
    /// Batches that the file held and that were not found, at most.
    package var missing = 0

    package var lost: Int { damaged + missing }
}
