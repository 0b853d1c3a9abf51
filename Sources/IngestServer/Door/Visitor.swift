internal import CensusStore

/// Somebody whose key was good.
struct Visitor: Sendable {
    var key: KeyRecord
    var hash: KeyHash
}
