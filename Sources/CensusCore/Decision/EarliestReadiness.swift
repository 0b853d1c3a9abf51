/// The first day at whose end a kind can be ready, even if every active device lost it now. It needs no rate, so small kinds have
/// it, too.
public struct EarliestReadiness: Hashable, Sendable {
    public enum Cause: Hashable, Sendable {
        /// A kind must be legacy for ``Readiness/markedDays`` days.
        case age
        /// More devices than the limit fell silent with the kind, and count until a day.
        case silent(limit: Int, until: Day)
        /// Few enough devices must have it on several days running.
        case days
    }

    public var day: Day
    /// What takes longest.
    public var cause: Cause
    /// How many days running few enough devices must have it.
    let running: Int

    /// - Returns: nil if nothing but the evidence of the last closed days stands in the way.
    init?(_ figures: ReadinessFigures) {
        let limit = figures.limits.devices(active: figures.active)
        let last = figures.days.last?.day ?? figures.lastEnded
        // On this day and after it, few enough have it.
        var first = figures.streak > 0 ? last - (figures.streak - 1) : last + 1
        var silent = figures.silent
        for day in figures.expiring.keys.sorted() where silent > limit {
            silent -= figures.expiring[day] ?? 0
            first = max(first, day)
        }
        running = figures.limits.days
        let held = first + (running - 1)
        day = max(held, figures.earliest)
        guard day > figures.lastEnded else { return nil }
        cause =
            held < figures.earliest ? .age : figures.silent > limit ? .silent(limit: limit, until: first) : .days
    }

    /// What it is, in a sentence.
    public var sentence: String {
        let why =
            switch cause {
            case .age: "because a kind must be legacy for \(Readiness.markedDays) days"
            case .silent(let limit, let until):
                "because before \(until) more than \(limit == 1 ? "1 silent device counts" : "\(limit.grouped) silent devices count") "
                    + "as having it, unless some return without it" + (running > 1 ? ". Then \(inARow) must pass" : "")
            case .days: "because few enough devices must have it for \(inARow)"
            }
        return "It can be ready at the end of \(day) at the earliest, \(why)."
    }

    private var inARow: String { running == 1 ? "a day" : "\(running.grouped) days running" }
}
