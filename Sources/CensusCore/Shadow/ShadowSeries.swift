internal import Foundation

/// Another tool's numbers for a kind beside ours, day by day, with the reasons that explain the difference best.
public struct ShadowSeries: Sendable {
    public let measure: TheirMeasure
    public let surface: String
    public let kind: String
    /// By day; never empty.
    public let days: [(theirs: Double, ours: CountedDay)]
    /// What the tool does differently; empty if it counts as we do, or if nothing explains the difference.
    public let reasons: [Discrepancy]

    /// By how much a reason must lower the logarithm of what stays unexplained, so that chance adds none. A few days tell less.
    private static func least(days: Int) -> Double { max(0.1, 2 / Double(days)) }
    /// Numbers that differ by less, as a share of ours, are the same and need no reason.
    private static let same = 0.005

    /// - Parameter days: in any order. Nil if there are none.
    public init?(_ measure: TheirMeasure, _ days: [(theirs: Double, ours: CountedDay)]) {
        guard let first = days.first else { return nil }
        self.measure = measure
        surface = first.ours.surface
        kind = first.ours.kind
        self.days = days.sorted { $0.ours.day < $1.ours.day }
        reasons = ShadowSeries.reasons(measure, days)
    }

    /// The set of reasons that leaves least unexplained. Each one must explain enough to be worth naming.
    private static func reasons(
        _ measure: TheirMeasure, _ days: [(theirs: Double, ours: CountedDay)]
    ) -> [Discrepancy] {
        let amounts: [(reason: Discrepancy, days: [Double])] = Discrepancy.allCases.compactMap { reason in
            let amounts = days.compactMap { reason.amount(in: measure, on: $0.ours) }
            return amounts.contains { $0 != 0 } ? (reason, amounts) : nil
        }
        let differences = days.map { $0.theirs - measure.ours(on: $0.ours) }
        let negligible = same * days.reduce(0) { $0 + measure.ours(on: $1.ours) }
        let whole = differences.reduce(0) { $0 + abs($1) }
        guard whole > negligible else { return [] }
        var best: (reasons: [Discrepancy], cost: Double) = ([], log(whole + negligible))
        for choice in 1..<(1 << amounts.count) {
            let chosen = amounts.indices.filter { choice & (1 << $0) != 0 }.map { amounts[$0] }
            guard Discrepancy.areCompatible(chosen.map(\.reason)) else { continue }
            let rest = differences.indices.reduce(0) { sum, day in
                sum + abs(chosen.reduce(differences[day]) { $0 - $1.days[day] })
            }
            let cost = log(rest + negligible) + Double(chosen.count) * least(days: days.count)
            if cost < best.cost { best = (chosen.map(\.reason), cost) }
        }
        return best.reasons
    }

    public func ours(_ day: CountedDay) -> Double { measure.ours(on: day) }

    public func amount(of reason: Discrepancy, _ day: CountedDay) -> Double {
        reason.amount(in: measure, on: day) ?? 0
    }

    /// What no reason explains.
    public func unexplained(theirs: Double, _ day: CountedDay) -> Double {
        reasons.reduce(theirs - ours(day)) { $0 - amount(of: $1, day) }
    }

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
