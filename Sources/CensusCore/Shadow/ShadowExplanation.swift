internal import Foundation

/// What explains how one tool's numbers differ from ours: the same for all kinds, because a tool counts them all alike.
public struct ShadowExplanation: Hashable, Sendable {
    public let measure: TheirMeasure
    /// What the tool does; empty if it counts as we do, or if nothing explains most of the difference.
    public var reasons: [Discrepancy] = []
    /// Their number is this constant share of ours; nil if that isn't the explanation.
    public var share: Double?
    /// Another set of reasons that explains nearly as much.
    public var alternative: [Discrepancy]?

    /// By how much a reason must lower the logarithm of what stays unexplained, so that chance adds none. Few numbers tell less.
    private static func least(_ numbers: Int) -> Double { max(0.1, 2 / Double(numbers)) }
    /// Fewer days can't tell reasons apart.
    public static let fewestDays = 7
    /// Numbers that differ by less, as a share of ours, are the same and need no reason.
    public static let same = 0.005
    /// What reasons, or a share, can leave, as a share of the whole difference, and of theirs.
    private static let most = (difference: 0.3, theirs: 0.25)
    /// How far their numbers can be from a constant share of ours, as a share of theirs.
    private static let steady = 0.1
    /// An alternative leaves at most so many times as much.
    private static let near = 1.5

    /// - Parameter numbers: of all kinds and days.
    public init(_ measure: TheirMeasure, _ numbers: [(theirs: Double, ours: CountedDay)]) {
        self.measure = measure
        guard Set(numbers.map(\.ours.day)).count >= ShadowExplanation.fewestDays else { return }
        let ours = numbers.map { measure.ours(on: $0.ours) }
        let differences = zip(numbers, ours).map { $0.theirs - $1 }
        let negligible = ShadowExplanation.same * ours.reduce(0, +)
        let whole = differences.reduce(0) { $0 + abs($1) }
        let theirs = numbers.reduce(0) { $0 + abs($1.theirs) }
        guard whole > negligible, theirs > 0 else { return }

        let amounts: [(reason: Discrepancy, numbers: [Double])] = Discrepancy.allCases.compactMap { reason in
            let amounts = numbers.compactMap { reason.amount(in: measure, on: $0.ours) }
            let isKnown = reason != .everyEvent || numbers.contains { measure.events(on: $0.ours) != 0 }
            return isKnown && amounts.contains { $0 != 0 } ? (reason, amounts) : nil
        }
        let least = ShadowExplanation.least(numbers.count)
        func cost(_ rest: Double, _ reasons: Int) -> Double { log(rest + negligible) + Double(reasons) * least }
        var sets: [(reasons: [Discrepancy], rest: Double, cost: Double)] = []
        for choice in 1..<max(1, 1 << amounts.count) {
            let chosen = amounts.indices.filter { choice & (1 << $0) != 0 }.map { amounts[$0] }
            guard Discrepancy.areCompatible(chosen.map(\.reason)) else { continue }
            let rest = differences.indices.reduce(0) { sum, place in
                sum + abs(chosen.reduce(differences[place]) { $0 - $1.numbers[place] })
            }
            sets.append((chosen.map(\.reason), rest, cost(rest, chosen.count)))
        }
        sets.sort { $0.cost < $1.cost }

        let share = ShadowExplanation.medianShare(numbers, ours)
        let scaled = zip(numbers, ours).reduce(0) { $0 + abs($1.0.theirs - share * $1.1) }
        let best = sets.first
        let mostLeft = ShadowExplanation.most.difference * whole
        if share > 0, scaled <= min(ShadowExplanation.steady * theirs, mostLeft),
            cost(scaled, 1) < min(best?.cost ?? .infinity, cost(whole, 0))
        {
            self.share = share
        } else if let best, best.rest <= mostLeft,
            best.rest <= ShadowExplanation.most.theirs * theirs, best.cost < cost(whole, 0)
        {
            reasons = best.reasons
            let others = sets.dropFirst().filter { $0.rest <= best.rest * ShadowExplanation.near + negligible }
            alternative = others.first { !Set($0.reasons).isSuperset(of: best.reasons) }?.reasons
        }
    }

    private static func medianShare(_ numbers: [(theirs: Double, ours: CountedDay)], _ ours: [Double]) -> Double {
        let shares = zip(numbers, ours).compactMap { $1 > 0 ? $0.theirs / $1 : nil }.sorted()
        return shares.isEmpty ? 0 : shares[shares.count / 2]
    }

    public var isEmpty: Bool { reasons.isEmpty && share == nil }

    public func amount(of reason: Discrepancy, _ day: CountedDay) -> Double {
        reason.amount(in: measure, on: day) ?? 0
    }

    /// What the share takes away from our number.
    public func lost(_ day: CountedDay) -> Double { share.map { ($0 - 1) * measure.ours(on: day) } ?? 0 }

    /// What no reason explains.
    public func unexplained(theirs: Double, _ day: CountedDay) -> Double {
        reasons.reduce(theirs - measure.ours(on: day) - lost(day)) { $0 - amount(of: $1, day) }
    }
}
