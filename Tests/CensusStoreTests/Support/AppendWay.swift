@testable import CensusStore

/// How a log stores events that might all be new.
enum AppendWay: CaseIterable {
    case copies, inserts, merges

    func set(_ store: inout Store) {
        store.rowsToInsert = self == .merges ? .max : 1
        store.rowsToCopy = self == .copies ? 1 : .max
    }
}
