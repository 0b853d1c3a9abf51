internal import CensusStore

/// The memory that requests can take, in all and for one key.
///
/// A pure value: ``Admission`` owns it and carries out its decisions.
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

    /// Makes a request's share larger or smaller.
    ///
    /// - Returns: false, without any change, if the key or all keys together would have too much. Shrinking always succeeds.
    mutating func change(_ key: KeyHash, from old: Int, to new: Int) -> Bool {
        let more = new - old
        let mine = byKey[key, default: 0] + more
        guard more <= 0 || (taken + more <= total && mine <= share) else { return false }
        owe(key, from: old, to: new)
        return true
    }

    /// Makes a request's share larger or smaller, even if there is no room.
    mutating func owe(_ key: KeyHash, from old: Int, to new: Int) {
        let more = new - old
        let place = byKey.index(forKey: key)
        let mine = (place.map { byKey.values[$0] } ?? 0) + more
        taken += more
        // Remove idle keys, or this would grow without bounds.
        if mine <= 0 {
            if let place { byKey.remove(at: place) }
        } else if let place {
            byKey.values[place] = mine
        } else {
            byKey[key] = mine
        }
    }
}
