import Foundation

@testable import CensusCore

/// The evidence of docs/why/decision.md, formula by formula. It keeps every night, and recomputes each product from all.
enum EvidenceReference {
    static let sizes: [Double] = [2.5, 3, 4, 6, 10, 18, 32, 60, 110, 200, 400, 1_000]

    /// A night's updates, and what they are compared with.
    struct Night {
        var updates: ReportPairs
        var others: ReportPairs
        /// The upper bound of the share that loses it in a day anyway; nil if unknown.
        var bound: Double?

        enum Comparison: Equatable {
            case others
            case share(Double)
            case nothing
        }

        func comparison(_ tolerance: Double) -> Comparison {
            let (x, y) = (days(updates), days(others))
            if y >= 0.05 * x { return .others }
            if let bound {
                let share = tolerance * bound * x / Double(updates.pairs)
                if share < 0.5 { return .share(share) }
            }
            return y == 0 ? .nothing : .others
        }

        /// The log likelihood ratio of a night: losses `size` times as fast rather than `tolerance` times.
        func logRatio(_ size: Double, _ tolerance: Double) -> Double {
            let (lost, kept) = (Double(updates.lost), Double(updates.pairs - updates.lost))
            switch comparison(tolerance) {
            case .nothing: return 0
            case .others:
                let (e1, e0, x0) = (days(updates), days(others), Double(others.lost))
                if e1 + e0 == 0 { return 0 }
                // The chance that a loss is an update's, and the chance that it is one of the others'.
                let (updated, updatedUsually) = (size * e1 / (size * e1 + e0), tolerance * e1 / (tolerance * e1 + e0))
                let (other, otherUsually) = (e0 / (size * e1 + e0), e0 / (tolerance * e1 + e0))
                return (lost > 0 ? lost * log(updated / updatedUsually) : 0)
                    + (x0 > 0 ? x0 * log(other / otherUsually) : 0)
            case .share(let usual):
                let odds = size / tolerance * usual / (1 - usual)
                let share = odds / (1 + odds)
                return (lost > 0 ? lost * log(share / usual) : 0) + kept * log((1 - share) / (1 - usual))
            }
        }

        private func days(_ pairs: ReportPairs) -> Double { Double(pairs.exposedSeconds) / 86_400 }
    }

    /// The mean over the sizes above the tolerance.
    static func value(_ nights: [Night], _ tolerance: Double) -> Double {
        let sizes = sizes.filter { $0 > tolerance }
        let ratios = sizes.map { size in exp(nights.reduce(0.0) { $0 + $1.logRatio(size, tolerance) }) }
        return ratios.isEmpty ? 1 : ratios.reduce(0, +) / Double(ratios.count)
    }

    /// Half of the weight is on all gaps together, and half on the two gaps that are evidence. Each half is split by whether the
    /// OS was updated.
    static func value(_ nights: [(stratum: LossStratum, night: Night)], _ tolerance: Double) -> Double {
        func value(_ isIncluded: (LossStratum) -> Bool) -> Double {
            EvidenceReference.value(nights.filter { isIncluded($0.stratum) }.map(\.night), tolerance)
        }
        var sum = 0.0
        for isOtherOS in [false, true] {
            sum += value { $0.isOtherOS == isOtherOS } / 4
            sum += value { $0.isOtherOS == isOtherOS && $0.gap == .short } / 8
            sum += value { $0.isOtherOS == isOtherOS && $0.gap == .long } / 8
        }
        return sum
    }

    /// How likely a Poisson variable with this mean is at most `count`.
    static func chance(ofAtMost count: Int, mean: Double) -> Double {
        var (sum, logFactorial) = (0.0, 0.0)
        for number in 0...count {
            if number > 0 { logFactorial += log(Double(number)) }
            sum += exp(Double(number) * log(mean) - mean - logFactorial)
        }
        return sum
    }

    /// The mean for which at most `count` is as unlikely as `doubt`.
    static func upperMean(_ count: Int, doubt: Double) -> Double {
        var (low, high) = (0.0, Double(count) * 10 + 100)
        for _ in 0..<100 {
            let middle = low + (high - low) / 2
            if chance(ofAtMost: count, mean: middle) > doubt { low = middle } else { high = middle }
        }
        return high
    }
}

/// Whether two numbers are equal, apart from rounding.
func isNear(_ left: Double, _ right: Double, within tolerance: Double = 1e-9) -> Bool {
    left == right || abs(left - right) <= tolerance * max(abs(left), abs(right))
}
