/// What happened to a spool's damaged files.
package struct SpoolMending: Hashable, Sendable {
    init(reason: String, file: String) {
        self.reason = reason
        self.file = file
    }

    /// What was wrong with them, without any data.
    package var reason: String
    /// Where they are now: beside the spool, named for the time at which they were put aside. Empty when none is left.
    package var file: String
    /// Whether only the end of the log was damaged: a power cut does that, too, to what was not acknowledged.
    package var isTornLog = false
    /// Parcels that were found intact in them, and wait for the store.
    package var brought = 0
    /// Rows that were found but could not be read.
    package var damaged = 0
    /// Rows that should be there and were not found, at most: if an older one was set aside, rows that the store has count
    /// among them.
    package var missing = 0

    package var lost: Int { damaged + missing }
}
