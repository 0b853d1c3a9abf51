/// What happened to a damaged segment of the spool.
package struct SpoolDamage: Hashable, Sendable {
    init(reason: String, file: String) {
        self.reason = reason
        self.file = file
    }

    /// What was wrong with it, without any data.
    package var reason: String
    /// What it is called now, in the spool's folder, where a person may look at it.
    package var file: String
    /// Batches that SQLite could read, and that wait for the store.
    package var brought = 0
    /// Batches whose bytes were not those that were written.
    package var damaged = 0
    /// Batches that it held and that were not found, at most.
    package var missing = 0

    package var lost: Int { damaged + missing }
}
