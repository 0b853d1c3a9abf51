/// Finds the few in a group that cannot be stored: after a failure the group is tried in halves, in order, so that the ones
/// that finally fail stand alone and do not take their neighbours down with them.
struct Halving<Element: Sendable>: Sendable {
    private var pieces: [ArraySlice<Element>]

    init(_ group: [Element] = []) { pieces = group.isEmpty ? [] : [group[...]] }

    /// What to try next; nil when all of the group was tried.
    mutating func next() -> ArraySlice<Element>? { pieces.popLast() }

    /// The piece that was tried last has failed.
    ///
    /// - Returns: false when it has only one element.
    mutating func split(_ piece: ArraySlice<Element>) -> Bool {
        guard piece.count > 1 else { return false }
        let middle = piece.startIndex + piece.count / 2
        pieces += [piece[middle...], piece[..<middle]]
        return true
    }
}
