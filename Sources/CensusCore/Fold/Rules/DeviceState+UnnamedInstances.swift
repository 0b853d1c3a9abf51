/// R10: events that name no instance leave open which one they mean. Nothing is guessed: what holds in every case is certain.
extension DeviceState {
    /// Nothing tells it from the others: one more.
    mutating func addUnnamed(_ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        var level = surfaces[surface]?.holdings[placement] ?? .none
        level.certain += 1
        surfaces[surface, default: SurfaceState()].proven[placement, default: 0] += 1
        set(placement, to: level, on: surface, at: observation.at, change: Change(.installed, by: .androidInstance))
    }

    /// One is on a screen: of those that are held, or one that was placed since the last report.
    mutating func useUnnamed(_ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        let holdings = surfaces[surface]?.holdings ?? [:]
        let matching = holdings.filter { $0.key.mayBe(placement) && $0.value.possibleInFamily > 0 }
        guard !matching.values.contains(where: { $0.certain > 0 }) else { return }
        let asked = Placement(kind: placement.kind, family: placement.family)
        surfaces[surface, default: SurfaceState()].questions.append(
            InstanceQuestion(asked: asked, candidates: Set(matching.keys.map(\.identity)), isFresh: true))
        var level = holdings[asked] ?? .none
        level.certain += 1
        set(asked, to: level, on: surface, at: observation.at, change: Change(.installed, by: .androidInstance))
    }

    /// One of those that are held left: no one of them is certain any more, but all but one of the certain ones together.
    ///
    /// What was proved of each is kept: where the next report lists it, it was another that left.
    mutating func removeUnnamed(_ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        withdrawQuestions(of: placement, observation)
        let holdings = surfaces[surface]?.holdings ?? [:]
        let held = holdings.filter { $0.key.mayBe(placement) && $0.value.possible > 0 }
        guard let first = held.keys.min() else { return }
        let asked = Placement(kind: placement.kind, family: first.family)
        guard Set(held.keys.map(\.family)).count == 1 else {
            return removeOne(of: held, asked: Placement(kind: placement.kind), isOpen: false, observation)
        }
        let certain = held.values.reduce(0) { $0 + $1.certain }
        let possible = held.values.reduce(0) { $0 + $1.possible }
        var rest = holdings[asked] ?? .none
        rest.certain = max(0, certain - 1)
        rest.presumed = possible - 1 - rest.certain
        if held[asked] != nil { surfaces[surface]?.proven[asked] = rest.certain > 0 ? rest.certain : nil }
        for placement in Set(held.keys).union([asked]).sorted() {
            let level = placement == asked ? rest : Level(reported: holdings[placement]?.reported ?? 0)
            let cause: Cause = placement == first ? .removed : .configured
            set(
                placement, to: level, on: surface, at: observation.at, change: Change(cause, by: .androidInstance))
        }
        closeFamilies(ofKind: first.kind, observation)
    }

    /// An event names an instance: one of which only an event without an instance told may be the same.
    mutating func doubtUnnamed(_ placement: Placement, _ observation: Observation) {
        let surface = observation.surface
        let unnamed = (surfaces[surface]?.holdings ?? [:]).filter {
            $0.key.instance == nil && $0.key.mayBe(placement) && $0.value.certain > 0
        }
        guard let (held, level) = unnamed.min(by: { $0.key < $1.key }) else { return }
        var rest = level
        rest.certain -= 1
        rest.presumed += 1
        if let proven = surfaces[surface]?.proven[held] {
            surfaces[surface]?.proven[held] = proven > 1 ? proven - 1 : nil
        }
        set(held, to: rest, on: surface, at: observation.at, change: Change(.configured, by: .androidInstance))
    }

    /// What was asked of a placement, or of any, is no longer known to be there.
    mutating func withdrawQuestions(of placement: Placement?, _ observation: Observation) {
        let surface = observation.surface
        guard let questions = surfaces[surface]?.questions, !questions.isEmpty else { return }
        let withdrawn = questions.filter { question in placement.map { question.asked.mayBe($0) } ?? true }
        surfaces[surface]?.questions.removeAll { withdrawn.contains($0) }
        let change = Change(.configured, by: .androidInstance)
        for question in withdrawn {
            let holdings = surfaces[surface]?.holdings ?? [:]
            guard var rest = holdings[question.asked], rest.certain > 0 else { continue }
            rest.certain -= 1
            if question.isFresh {
                rest.presumed += 1
            } else if let open = holdings.keys.filter({ question.isOpen($0, holdings) }).min(),
                var level = holdings[open]
            {
                level.either -= 1
                level.presumed += 1
                set(open, to: level, on: surface, at: observation.at, change: change)
            }
            set(question.asked, to: rest, on: surface, at: observation.at, change: change)
        }
    }
}

/// One of several instances was used, and nothing told which.
struct InstanceQuestion: Hashable, Sendable {
    /// Kind and family, as far as they were told.
    var asked: Placement
    var candidates: Set<Placement>
    /// No report came since: it may be an instance that none has listed yet.
    var isFresh: Bool

    func isOpen(_ placement: Placement, _ levels: [Placement: Level]) -> Bool {
        candidates.contains(placement.identity) && levels[placement]?.either ?? 0 > 0
    }

    /// Goes through what a report says to the questions that are open.
    ///
    /// While all candidates stay on the list, one of them is certain, and counted where no instance is known. Where one has left,
    /// it may be the one.
    ///
    /// - Parameter after: what the report lists, with what is proved of it.
    /// - Returns: the questions that stay open.
    static func asked(
        _ questions: [InstanceQuestion], before: [Placement: Level], after: inout [Placement: Level]
    ) -> [InstanceQuestion] {
        var open: [InstanceQuestion] = []
        for question in questions {
            let stay = question.candidates.allSatisfy { candidate in
                let now = InstanceQuestion.reported(candidate, after)
                return now > 0 && now >= InstanceQuestion.reported(candidate, before)
            }
            guard stay else { continue }
            let listed = after.keys.filter { placement in
                question.candidates.contains(placement.identity)
                    || question.isFresh && placement.mayBe(question.asked)
                        && InstanceQuestion.reported(placement.identity, before) == 0
            }
            // Of several families nothing tells in which it is counted.
            guard Set(listed.map(\.family)).count == 1, listed.allSatisfy({ after[$0]?.certain == 0 }),
                let first = listed.filter({ after[$0]?.presumed ?? 0 > 0 }).min()
            else { continue }
            let asked = Placement(kind: first.kind, family: first.family)
            guard after[asked]?.certain ?? 0 == 0 else { continue }
            after[first]?.presumed -= 1
            after[first]?.either += 1
            after[asked, default: .none].certain += 1
            open.append(InstanceQuestion(asked: asked, candidates: Set(listed.map(\.identity)), isFresh: false))
        }
        return open
    }

    private static func reported(_ candidate: Placement, _ levels: [Placement: Level]) -> Int {
        levels.reduce(0) { $0 + ($1.key.identity == candidate ? $1.value.reported : 0) }
    }
}
