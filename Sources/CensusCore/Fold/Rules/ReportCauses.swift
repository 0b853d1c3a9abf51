/// Names the changes that a report makes to a surface: the cause and the rule of each (R1, R6, R7, R9).
struct ReportCauses {
    let before: [Placement: Level]
    let after: [Placement: Level]
    let isUpdate: Bool
    private let proof: Rule
    private let proved: Set<Placement>
    private let causeOfProof: Cause
    private var growth: [Placement.Model: Int] = [:]
    private var certainGrowth: [Placement.Model: Int] = [:]
    /// How many more are certain of the kinds that events named without a family.
    private var unnamedGrowth: [Text: Int] = [:]

    /// - Parameters:
    ///   - isUpdate: whether another version of the app sent the previous report.
    ///   - proof: the rule by which this report ends suspicion.
    ///   - proved: placements that have a suspect which use proves (R7); a boot proves all of them.
    ///   - causeOfProof: the cause that a proved suspect gets.
    init(
        before: [Placement: Level], after: [Placement: Level], isUpdate: Bool, proof: Rule = .reboot,
        proved: Set<Placement> = [], causeOfProof: Cause = .reinstalled
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
        let (old, new) = (before[placement] ?? .none, after[placement] ?? .none)
        return new.certain - old.certain > old.presumed ? old.presumed : 0
    }

    private func cause(of placement: Placement, _ old: Level, _ new: Level) -> Cause {
        // Events had told of it without a family, which is known now.
        if let growth = unnamedGrowth[Text(placement.kind)], old.certain != new.certain {
            if growth == 0 || (growth > 0) != (new.certain > old.certain) { return .configured }
        }
        // R8 had doubted it.
        let more = new.certain - old.certain
        if old.presumed > 0, more > 0 { return more > old.presumed ? .installed : .returned }
        // If (kind, family) keeps its count and only intent or configuration differ, nothing was added or removed.
        let isMerelyConfirmed = (new.certain, new.possible) == (old.certain, old.possible)
        let keepsItsCount = growth[placement.model] == 0 && certainGrowth[placement.model] == 0
        // One told of without an instance may be this one, or its question is closed.
        let isAsked = (new.certain, new.possibleInFamily) == (old.certain, old.possibleInFamily)
        if (keepsItsCount || isAsked), !isMerelyConfirmed { return .configured }
        // What is certain decides first, because that is what `changes` counts.
        let isGrowth = (new.certain, new.possible, new.reported) >= (old.certain, old.possible, old.reported)
        return isGrowth ? .installed : .removed
    }
}
