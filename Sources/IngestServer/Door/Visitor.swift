internal import CensusStore

/// Somebody whose key was good.
struct Visitor: Sendable {
    var key: KeyRecord
    /// Stands for the key, whose text is forgotten.
    var hash: [UInt8]
}
