import CensusCore

/// One delivery, and the notes that are in it.
struct Sent: Sendable {
    var delivery: Delivery
    var notes: ArraySlice<Note>
}
