/// R10, events that name no instance and so leave open which one they mean. Nothing is guessed: only what holds in every case
/// is certain.
extension DeviceState {
    /// Adds one that can't be told apart from the others until the next list shows an instance that the previous one lacked.
    mutating func addUnnamed(_ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        surfaces[surface, default: SurfaceState()].proven[placement, default: 0] += 1
        ask(InstanceQuestion(asked: placement, candidates: []), observation)
    }

    /// Notes that one is on a screen: one of those held, or one placed since the last report.
    mutating func useWithoutInstance(_ placement: Placement, _ observation: Observation) {
        let holdings = surfaces[observation.surface]?.holdings ?? [:]
        let matching = holdings.filter { $0.key.isCompatible(with: placement) && $0.value.possibleInFamily > 0 }
        guard !matching.values.contains(where: { $0.certain > 0 }) else { return }
        let asked = Placement(kind: placement.kind, family: placement.family)
        ask(InstanceQuestion(asked: asked, candidates: Set(matching.keys.map(\.identity))), observation)
    }

    private mutating func ask(_ question: InstanceQuestion, _ observation: Observation) {
        let surface = observation.surface
        surfaces[surface, default: SurfaceState()].questions.append(question)
        var level = surfaces[surface]?.holdings[question.asked] ?? .none
        level.certain += 1
        let change = Change(.installed, by: .androidInstance)
        set(question.asked, to: level, on: surface, at: observation.at, change: change)
    }

    /// Removes one of those held. None of them is certain by itself any more. Together, all but one of the certain ones are.
    ///
    /// The proofs are kept, because if the next report lists a proved one, another one left.
    mutating func removeUnnamed(_ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        let holdings = surfaces[surface]?.holdings ?? [:]
        let held = holdings.filter { $0.key.isCompatible(with: placement) && $0.value.possibleInFamily > 0 }
        surfaces[surface]?.questions.removeAll { $0.asked.isCompatible(with: placement) }
        let possible = held.values.reduce(0) { $0 + $1.possible }
        let certain = held.filter { $0.value.certain > 0 }.keys.sorted()
        // The rest of the family makes up for what the placement without an instance loses itself.
        guard possible > 0, let first = certain.first(where: { $0.instance != nil }) ?? certain.first ?? held.keys.min()
        else { return }
        let asked = Placement(kind: placement.kind, family: first.family)
        guard Set(held.keys.map(\.family)).count == 1 else {
            return removeOne(of: held, asked: Placement(kind: placement.kind), isOpen: false, observation)
        }
        var rest = Level(reported: holdings[asked]?.reported ?? 0)
        rest.certain = max(0, held.values.reduce(0) { $0 + $1.certain } - 1)
        rest.presumed = possible - 1 - rest.certain
        forgetProof(of: asked, on: surface)
        for placement in Set(held.keys).union([asked]).sorted() {
            let level = placement == asked ? rest : Level(reported: holdings[placement]?.reported ?? 0)
            let cause: Cause = placement == first ? .removed : .configured
            set(
                placement, to: level, on: surface, at: observation.at, change: Change(cause, by: .androidInstance))
        }
        closeFamilies(ofKind: first.kind, observation)
    }

    /// Handles an event that names an instance, which might so far be known only from an event without one.
    ///
    /// - Returns: whether a placement without an instance might be this one. It is then no longer certain in addition to it.
    @discardableResult
    mutating func doubtUnnamed(_ placement: Placement, _ observation: Observation) -> Bool {
        let surface = observation.surface
        let change = Change(.configured, by: .androidInstance)
        if let question = surfaces[surface]?.questions.first(where: { $0.mayMean(placement) }) {
            withdraw(question, observation)
            return true
        }
        // Placements in question for other instances can't be this one.
        let asked = surfaces[surface]?.questions.map(\.asked) ?? []
        let unnamed = (surfaces[surface]?.holdings ?? [:]).filter { held, level in
            held.instance == nil && held.isCompatible(with: placement)
                && level.certain > asked.count { $0 == held }
        }
        guard let (held, level) = unnamed.min(by: { $0.key < $1.key }) else { return false }
        var rest = level
        rest.certain -= 1
        rest.presumed += 1
        forgetProof(of: held, on: surface)
        set(held, to: rest, on: surface, at: observation.at, change: change)
        return true
    }

    /// Withdraws the questions about instances that get new names, because they can't be followed any further.
    mutating func withdrawQuestions(_ observation: Observation) {
        for question in surfaces[observation.surface]?.questions ?? [] where !question.isFresh {
            withdraw(question, observation)
        }
    }

    private mutating func withdraw(_ question: InstanceQuestion, _ observation: Observation) {
        let surface = observation.surface
        guard let index = surfaces[surface]?.questions.firstIndex(of: question) else { return }
        surfaces[surface]?.questions.remove(at: index)
        let change = Change(.configured, by: .androidInstance)
        let holdings = surfaces[surface]?.holdings ?? [:]
        guard var rest = holdings[question.asked], rest.certain > 0 else { return }
        rest.certain -= 1
        if question.isFresh {
            rest.presumed += 1
            forgetProof(of: question.asked, on: surface)
        } else if let open = holdings.filter({ question.isOpen($0.key, $0.value) }).keys.min(),
            var level = holdings[open]
        {
            level.either -= 1
            level.presumed += 1
            set(open, to: level, on: surface, at: observation.at, change: change)
        }
        set(question.asked, to: rest, on: surface, at: observation.at, change: change)
    }

    private mutating func forgetProof(of placement: Placement, on surface: Surface) {
        guard let proven = surfaces[surface]?.proven[placement] else { return }
        surfaces[surface]?.proven[placement] = proven > 1 ? proven - 1 : nil
    }
}

/// An open question: one of several instances was installed or used, and the event didn't say which.
struct InstanceQuestion: Hashable, Sendable {
    /// The placement on which that one is counted meanwhile.
    var asked: Placement
    var candidates: Set<Placement>
    /// Whether no report has followed yet, so that it might be an instance that no report has listed.
    var isFresh = true

    /// Whether an event that names an instance might mean the one in question.
    func mayMean(_ placement: Placement) -> Bool {
        isFresh ? asked.isCompatible(with: placement) : candidates.contains(placement.identity)
    }

    func isOpen(_ placement: Placement, _ level: Level) -> Bool {
        candidates.contains(placement.identity) && level.either > 0
    }

    /// Applies a report to the open questions.
    ///
    /// While all candidates stay on the list, one of them is certain, and is counted on the placement without an instance. If a
    /// candidate has left, it might have been the one.
    ///
    /// - Parameter after: what the report lists, with what is proved of it.
    /// - Returns: the questions that stay open.
    static func asked(
        _ questions: [InstanceQuestion], before: [Placement: Level], after: inout [Placement: Level]
    ) -> [InstanceQuestion] {
        var open: [InstanceQuestion] = []
        var taken: Set<Placement> = []
        for question in questions {
            let stay = question.candidates.allSatisfy { candidate in
                let now = InstanceQuestion.reported(candidate, after)
                return now > 0 && now >= InstanceQuestion.reported(candidate, before)
            }
            guard stay else { continue }
            let listed = after.filter { placement, _ in
                guard placement.instance != nil else { return false }
                return question.candidates.contains(placement.identity)
                    || question.isFresh && placement.isCompatible(with: question.asked)
                        && InstanceQuestion.reported(placement.identity, before) == 0
            }
            let free = listed.filter { $0.value.presumed > 0 && !taken.contains($0.key) }.keys
            guard listed.values.allSatisfy({ $0.certain == 0 }), let first = free.min() else { continue }
            taken.insert(first)
            let isOneFamily = Set(listed.keys.map(\.family)).count == 1
            let asked = Placement(kind: first.kind, family: isOneFamily ? first.family : nil)
            after[first]?.presumed -= 1
            after[first]?.either += 1
            after[asked, default: .none].certain += 1
            open.append(InstanceQuestion(asked: asked, candidates: Set(listed.keys.map(\.identity)), isFresh: false))
        }
        return open
    }

    private static func reported(_ candidate: Placement, _ levels: [Placement: Level]) -> Int {
        levels.reduce(0) { $0 + ($1.key.identity == candidate ? $1.value.reported : 0) }
    }
}
