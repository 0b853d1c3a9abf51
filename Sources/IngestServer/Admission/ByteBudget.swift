internal import CensusStore

/// How many bytes of requests there may be at once, and how many of them by one key.
///
/// A pure value: ``Admission`` owns it and acts on what it says.
struct ByteBudget {
    let total: Int
    /// The limit for one key.
    let share: Int
    private(set) var taken = 0
    private(set) var byKey: [KeyHash: Int] = [:]

    init(total: Int, share: Int) {
        self.total = total
        self.share = min(share, total)
    }

    /// Makes a request's room larger or smaller.
    ///
    /// - Returns: false, and nothing changes, when the key or all together would have too much. A request can always be
    ///   made smaller.
    mutating func change(_ key: KeyHash, from old: Int, to new: Int) -> Bool {
        let more = new - old
        let mine = byKey[key, default: 0] + more
        guard more <= 0 || (taken + more <= total && mine <= share) else { return false }
        owe(key, from: old, to: new)
        return true
    }

    /// Makes a request's room larger or smaller, whether there is room or not: others have to do without.
    mutating func owe(_ key: KeyHash, from old: Int, to new: Int) {
        let more = new - old
        let place = byKey.index(forKey: key)
        let mine = (place.map { byKey.values[$0] } ?? 0) + more
        taken += more
        // Keys at rest are forgotten, or strangers could make this grow.
        if mine <= 0 {
            if let place { byKey.remove(at: place) }
        } else if let place {
            byKey.values[place] = mine
        } else {
            byKey[key] = mine
        }
    }
}
