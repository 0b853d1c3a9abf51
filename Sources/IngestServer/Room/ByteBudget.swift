/// How many bytes of requests there may be at once, and how many of them by one key.
///
/// Pure: ``BodyRoom`` carries it.
struct ByteBudget {
    let total: Int
    /// Of one key.
    let share: Int
    private(set) var taken = 0
    private(set) var byKey: [[UInt8]: Int] = [:]

    init(total: Int, share: Int) {
        self.total = total
        self.share = min(share, total)
    }

    /// Makes a request's room larger or smaller.
    ///
    /// - Returns: false when that is more than there is for the key or for all, and then nothing changes. Less is always
    ///   to be had, and so is anything where there was too much already.
    mutating func change(_ key: [UInt8], from old: Int, to new: Int) -> Bool {
        let more = new - old
        let mine = byKey[key, default: 0]
        guard more <= 0 || (taken + more <= total && mine + more <= share) else { return false }
        taken += more
        // Keys at rest are forgotten, or strangers could make this grow.
        byKey[key] = mine + more > 0 ? mine + more : nil
        return true
    }
}
