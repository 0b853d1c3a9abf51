/// Another tool's numbers for a kind beside ours, day by day.
public struct ShadowSeries: Sendable {
    public let measure: TheirMeasure
    public let surface: String
    public let kind: String
    /// By day; never empty.
    public let days: [(theirs: Double, ours: CountedDay)]

    /// - Parameter days: in any order. Nil if there are none.
    public init?(_ measure: TheirMeasure, _ days: [(theirs: Double, ours: CountedDay)]) {
        guard let first = days.first else { return nil }
        self.measure = measure
        surface = first.ours.surface
        kind = first.ours.kind
        self.days = days.sorted { $0.ours.day < $1.ours.day }
    }

    public func ours(_ day: CountedDay) -> Double { measure.ours(on: day) }

    /// The mean over all days.
    public func mean(_ value: ((theirs: Double, ours: CountedDay)) -> Double) -> Double {
        days.reduce(0) { $0 + value($1) } / Double(days.count)
    }

    /// On how many days their number lies outside our bounds; nil if there are no bounds.
    public var outside: (below: Int, above: Int)? {
        guard measure.bounds(on: days[0].ours) != nil else { return nil }
        return days.reduce(into: (0, 0)) { counts, day in
            guard let bounds = measure.bounds(on: day.ours) else { return }
            counts.below += day.theirs < Double(bounds.lowerBound) ? 1 : 0
            counts.above += day.theirs > Double(bounds.upperBound) ? 1 : 0
        }
    }
}
