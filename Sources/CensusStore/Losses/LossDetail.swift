internal import CensusCore
internal import Postgres

/// Something that some of the updated devices have in common, and how many of them lost the kind.
package struct LossDetail: Hashable, Sendable {
    package enum Trait: String, Hashable, Sendable {
        /// An OS version.
        case os
        /// A kind that appears for the first time in the report that lacks the lost one; only devices that lost it count.
        case gained
    }

    package var trait: Trait
    package var value: String
    package var upgraders: Int
    package var lost: Int

    package init(_ trait: Trait, _ value: String, upgraders: Int, lost: Int) {
        self.trait = trait
        self.value = value
        self.upgraders = upgraders
        self.lost = lost
    }

    static func all(_ row: Row) throws(PostgresError) -> [LossDetail] {
        let traits: [String] = try row["details"]
        let values: [String] = try row["detail_values"]
        let upgraders: [Int] = try row["detail_upgraders"]
        let lost: [Int] = try row["detail_lost"]
        return traits.indices.compactMap { place in
            Trait(rawValue: traits[place]).map {
                LossDetail($0, values[place], upgraders: upgraders[place], lost: lost[place])
            }
        }
    }
}

extension LossIncident {
    /// The OS versions that lost nearly all while others kept it, and the kinds that appeared in its place, in sentences for
    /// people.
    package var remarks: [String] { [osRemark].compactMap { $0 } + renames }

    private var osRemark: String? {
        let systems = details.filter { $0.trait == .os }
        let emptied = systems.filter { $0.lost >= LossWatch.fewestLost && 20 * $0.lost >= 19 * $0.upgraders }
        let rest = systems.filter { !emptied.contains($0) }
        let (kept, lost) = (rest.reduce(0) { $0 + $1.upgraders }, rest.reduce(0) { $0 + $1.lost })
        guard !emptied.isEmpty, kept >= LossWatch.fewestLost, 2 * lost <= kept else { return nil }
        let named = emptied.map { "\($0.value) (\($0.lost.grouped) of \($0.upgraders.grouped))" }.joined(
            separator: ", ")
        return
            "OS version \(named) lost nearly all; other OS versions lost \(lost.grouped) of \(kept.grouped)."
    }

    private var renames: [String] {
        details.filter { $0.trait == .gained && $0.lost >= LossWatch.fewestLost && 2 * $0.lost >= figures.updates.lost }
            .map {
                "\($0.lost.counted("device")) that lost it reported \($0.value) for the first time in the same list; "
                    + "the update might have renamed the kind."
            }
    }

    /// Which updates don't count as evidence, and why, in sentences for people.
    package var unheard: [String] {
        var sentences: [String] = []
        func say(_ count: Int, _ why: String) {
            guard count > 0 else { return }
            sentences.append("\(count.counted("updated device", "doesn't", "don't")) count as evidence: \(why).")
        }
        say(figures.late, "the next report came only after more than 14 days")
        say(
            figures.unmatchedWithOS,
            "the OS was updated, too, no others updated it on these days, and an OS update alone might take as many")
        say(
            figures.unmatched,
            "no other devices reported after a similar time, and earlier data does not show what would be lost anyway"
        )
        return sentences
    }
}
