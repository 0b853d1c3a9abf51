/// Finds the few batches of a group that can't be stored. After a failure the group is tried in halves, in order, until each
/// failing batch is alone and the others are stored.
struct Halving<Element: Sendable>: Sendable {
    private var pieces: [ArraySlice<Element>]

    init(_ group: [Element] = []) { pieces = group.isEmpty ? [] : [group[...]] }

    /// What to try next; nil once all of the group was tried.
    mutating func next() -> ArraySlice<Element>? { pieces.popLast() }

    /// The piece that was tried last has failed.
    ///
    /// - Returns: false if it has only one element.
    mutating func split(_ piece: ArraySlice<Element>) -> Bool {
        guard piece.count > 1 else { return false }
        let middle = piece.startIndex + piece.count / 2
        pieces += [piece[middle...], piece[..<middle]]
        return true
    }
}
