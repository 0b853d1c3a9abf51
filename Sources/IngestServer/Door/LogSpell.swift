/// A fault that comes again and again, told in few lines: one when it begins, one a minute while it goes on, one when it has
/// ended.
struct LogSpell: Sendable {
    enum Line: Hashable, Sendable {
        case begins
        /// How often since the last line.
        case goesOn(Int)
        /// How often in all, and from the first to the last.
        case ended(Int, Duration)
    }

    typealias Instant = ContinuousClock.Instant

    static let interval: Duration = .seconds(60)
    /// Without a fault for so long it has ended: some requests succeed in the middle of an outage.
    static let quiet: Duration = .seconds(10)

    private var begun: Instant?
    private var latest: Instant?
    private var told: Instant?
    private var count = 0
    private var untold = 0

    /// - Returns: what to say of it.
    mutating func failed(at now: Instant) -> [Line] {
        let ending = passed(at: now)
        count += 1
        latest = now
        guard begun != nil, let told else {
            (begun, told) = (now, now)
            return ending + [.begins]
        }
        untold += 1
        guard told + LogSpell.interval <= now else { return ending }
        defer { (self.told, untold) = (now, 0) }
        return ending + [.goesOn(untold)]
    }

    /// Something else happened: time may have passed.
    mutating func passed(at now: Instant) -> [Line] {
        guard let begun, let latest, latest + LogSpell.quiet <= now else { return [] }
        defer { self = LogSpell() }
        // One alone has been told.
        return count > 1 ? [.ended(count, latest - begun)] : []
    }
}
