/// Finds the cause and the rule of each change that a report makes to a surface (R1, R6, R7, R9).
struct ReportCauses {
    let before: [Placement: Level]
    let after: [Placement: Level]
    let isUpdate: Bool
    private let proof: Rule
    private let proved: Set<Placement>
    private let causeOfProof: Cause
    private var growth: [Placement.Model: Int] = [:]
    private var certainGrowth: [Placement.Model: Int] = [:]
    /// How many more are certain, of kinds that events named without a family.
    private var unnamedGrowth: [Text: Int] = [:]
    /// Kinds with events that named no instance, if the list has at least as many as were certain. Then it shows no removal. It
    /// only leaves open which of those listed the events meant.
    private var whole: Set<Text> = []
    /// How many of the newly certain ones R8 had doubted, under their own configuration or one that was edited meanwhile.
    private var returning: [Placement: Int] = [:]

    /// - Parameters:
    ///   - isUpdate: whether another version of the app sent the previous report.
    ///   - proof: the rule by which this report ends suspicion.
    ///   - proved: placements with a suspect that a use proves (R7). A boot proves all of them.
    ///   - causeOfProof: the cause of the change if a suspect is proved.
    ///   - areInstances: whether an edited placement is recognized by its instance, not by its kind and family.
    init(
        before: [Placement: Level], after: [Placement: Level], isUpdate: Bool, proof: Rule = .reboot,
        proved: Set<Placement> = [], causeOfProof: Cause = .reinstalled, areInstances: Bool = false
    ) {
        self.before = before
        self.after = after
        self.isUpdate = isUpdate
        self.proof = proof
        self.proved = proved
        self.causeOfProof = causeOfProof
        for (levels, sign) in [(after, 1), (before, -1)] {
            for (placement, level) in levels {
                growth[placement.model, default: 0] += sign * level.possible
                certainGrowth[placement.model, default: 0] += sign * level.certain
            }
        }
        returning = ReportCauses.returning(before, after) { areInstances ? $0.identity : $0.ofModel }
        if areInstances {
            for kind in Set(before.keys.filter { $0.instance == nil }.map { Text($0.kind) }) {
                let was = before.reduce(0) { $0 + ($1.key.kind.hasBytes(of: kind.text) ? $1.value.certain : 0) }
                let listed = after.reduce(0) { $0 + ($1.key.kind.hasBytes(of: kind.text) ? $1.value.possible : 0) }
                if listed >= was { whole.insert(kind) }
            }
        }
        for (placement, level) in before where placement.family == nil && level.reported == 0 {
            unnamedGrowth[Text(placement.kind)] = certainGrowth.reduce(0) {
                $0 + ($1.key.kind.hasBytes(of: placement.kind) ? $1.value : 0)
            }
        }
    }

    func change(of placement: Placement) -> Change {
        let (old, new) = (before[placement] ?? .none, after[placement] ?? .none)
        if isUpgradeLoss(of: placement) { return Change(.upgradeLoss, by: .upgradeLoss) }
        let endsSuspicion =
            proof == .reboot ? old.suspect > 0 : proved.contains(placement) && old.suspect > new.suspect
        if endsSuspicion, proof == .reboot || new.certain > 0 { return Change(causeOfProof, by: proof) }
        return Change(cause(of: placement, old, new), by: .report)
    }

    /// How many of the newly certain ones R8 had doubted; 0 unless others became certain along with them.
    func returned(of placement: Placement) -> Int {
        let returning = returning[placement] ?? 0
        return gain(placement) > returning ? returning : 0
    }

    /// Whether all newly certain ones returned.
    func isReturn(of placement: Placement) -> Bool { returning[placement].map { $0 == gain(placement) } ?? false }

    private func gain(_ placement: Placement) -> Int {
        (after[placement]?.certain ?? 0) - (before[placement]?.certain ?? 0)
    }

    /// - Parameter subject: the part of a placement that stays the same when it is edited.
    private static func returning(
        _ before: [Placement: Level], _ after: [Placement: Level], by subject: (Placement) -> Placement
    ) -> [Placement: Int] {
        guard before.values.contains(where: { $0.presumed > 0 }) else { return [:] }
        var returning: [Placement: Int] = [:]
        // If a placement was doubted, and is neither certain nor doubted now, it might be one that is certain under another
        // configuration.
        var edited: [Placement: Int] = [:]
        func gain(_ placement: Placement) -> Int {
            max(0, (after[placement]?.certain ?? 0) - (before[placement]?.certain ?? 0))
        }
        for (placement, level) in before {
            let own = min(level.presumed, gain(placement))
            returning[placement] = own > 0 ? own : nil
            edited[subject(placement), default: 0] += max(0, level.presumed - own - (after[placement]?.presumed ?? 0))
        }
        for placement in after.keys.sorted() {
            let more = min(edited[subject(placement)] ?? 0, gain(placement) - (returning[placement] ?? 0))
            guard more > 0 else { continue }
            returning[placement, default: 0] += more
            edited[subject(placement)]? -= more
        }
        return returning
    }

    private func cause(of placement: Placement, _ old: Level, _ new: Level) -> Cause {
        if placement.instance == nil, new.certain < old.certain, whole.contains(Text(placement.kind)) {
            return .configured
        }
        // Events named it without a family, which is known now.
        if let growth = unnamedGrowth[Text(placement.kind)], old.certain != new.certain,
            growth.signum() != (new.certain - old.certain).signum()
        {
            return .configured
        }
        // R8 had doubted it.
        if let returning = returning[placement] {
            return new.certain - old.certain > returning ? .installed : .returned
        }
        // If (kind, family) keeps its count and only intent or configuration differ, nothing was added or removed.
        let isMerelyConfirmed = (new.certain, new.possible) == (old.certain, old.possible)
        let keepsItsCount = growth[placement.model] == 0 && certainGrowth[placement.model] == 0
        // A widget that an event named without an instance might be this one, or its question was closed.
        let isAsked = (new.certain, new.possibleInFamily) == (old.certain, old.possibleInFamily)
        if (keepsItsCount || isAsked), !isMerelyConfirmed { return .configured }
        // The certain number decides first, because `changes` counts that one.
        let isGrowth = (new.certain, new.possible, new.reported) >= (old.certain, old.possible, old.reported)
        return isGrowth ? .installed : .removed
    }
}

extension Placement {
    fileprivate var ofModel: Placement { Placement(kind: kind, family: family) }
}
