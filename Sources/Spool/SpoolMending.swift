/// What became of files of a spool that were damaged.
package struct SpoolMending: Hashable, Sendable {
    init(reason: String, file: String) {
        self.reason = reason
        self.file = file
    }

    /// What was wrong with them, without data.
    package var reason: String
    /// Where they lie now: beside the spool, under the time at which they were put aside. Empty where nothing is left of them.
    package var file: String
    /// Only the end of the log: a power cut does that, too, to what nobody was told was kept.
    package var isTornLog = false
    /// Parcels that were found in them whole, and wait for the store.
    package var brought = 0
    /// Rows that were found, and could not be read.
    package var damaged = 0
    /// Rows that should be there and were not found; at most: where an older one was set aside, those that the store has count
    /// among them.
    package var missing = 0

    package var lost: Int { damaged + missing }
}
