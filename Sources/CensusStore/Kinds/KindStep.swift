package import CensusCore
internal import Postgres

/// A decision on a kind that a person is about to make, with the rules for when they may. The command line and the console both
/// use it.
package struct KindStep: Hashable, Sendable {
    package var kind: String
    package var decision: KindDecision
    /// Whether to retire the kind even if it isn't ready.
    package var anyway: Bool

    package init(_ kind: String, _ decision: KindDecision, anyway: Bool = false) {
        self.kind = kind
        self.decision = decision
        self.anyway = anyway
    }

    /// Whether the kind would replace itself, which no kind can.
    package var replacesItself: Bool { decision.replacedBy?.hasBytes(of: kind) ?? false }
}

/// Why a step may not be taken now.
package enum StepHindrance: Hashable, Sendable {
    case replacesItself
    /// The app has no such kind, and no manifest of it declares one.
    case unknownReplacement(String, meant: String?)
    /// Retiring: it is not legacy on any surface.
    case notLegacy
    /// Retiring: devices can have it on a surface where it isn't legacy. ``KindStep/anyway`` retires it on the others.
    case active(surface: String, devicesPossible: Int)
    /// Retiring: the verdict on a surface. ``KindStep/anyway`` retires it all the same.
    case notReady(Readiness.Verdict, reason: String)

    /// Whether ``KindStep/anyway`` removes it.
    package var canBeOverridden: Bool {
        switch self {
        case .replacesItself, .unknownReplacement, .notLegacy: false
        case .active, .notReady: true
        }
    }

    /// - Parameter listed: the kind on each surface.
    fileprivate init?(_ step: KindStep, _ listed: [ListedKind], _ verdicts: [KindVerdict]) {
        if step.replacesItself {
            self = .replacesItself
            return
        }
        // For a kind that is retired already, nothing is to be done.
        guard step.decision.lifecycle == .retired else { return nil }
        let legacy = verdicts.filter { $0.figures.lifecycle == .legacy }
        if legacy.isEmpty {
            if listed.contains(where: { $0.lifecycle == .retired }) { return nil }
            self = .notLegacy
        } else if step.anyway {
            return nil
        } else if let other = listed.first(where: { $0.lifecycle == .active && $0.devicesPossible > 0 }) {
            self = .active(surface: other.place, devicesPossible: other.devicesPossible)
        } else if let readiness = legacy.map(\.readiness).first(where: { $0.verdict != .ready }) {
            self = .notReady(readiness.verdict, reason: readiness.reason)
        } else {
            return nil
        }
    }
}

/// The outcome of a step.
package enum StepOutcome: Hashable, Sendable {
    /// One act per surface.
    case recorded([KindAct])
    /// The kind was in that state before.
    case unchanged
    case hindered(StepHindrance)
    /// Somebody decided something else in the meantime: what the kind is now, on some surface.
    case overtaken([Lifecycle])
}

/// What a step would be based on.
package struct KindProspect: Sendable {
    /// The kind on each surface.
    package var listed: [ListedKind]
    /// By surface: the verdict where the kind is legacy or retired, or as if it were marked now.
    package var verdicts: [KindVerdict]
    package var hindrance: StepHindrance?
    /// What would hinder the step without ``KindStep/anyway``.
    package var overridden: StepHindrance?
    /// Losses of the kind that preflight still accepts.
    package var accepted: [AcknowledgementRecord]
    /// Changes with each decision on the kind.
    package var version: Int64
}

extension KindRegistry {
    /// What a step would be based on, and what hinders it. Stores nothing.
    ///
    /// - Throws: ``StoreError`` with fault `request` if the app never used the kind.
    package func prospect(of step: KindStep, app: App) async throws(StoreError) -> KindProspect {
        try await require(step.kind, of: app)
        // First, so that a decision made meanwhile is noticed.
        let version = try await database.value(
            SQL.KindRegistry.lastAct, [app.number, step.kind], as: Int64.self)
        let listed = try await listed(step.kind, app)
        let judged = try await verdicts(on: step.kind, app)
        let supposed = try await DecisionStore(database: database).supposed(listed, of: app)
        let hindrance =
            if let hindrance = StepHindrance(step, listed, judged) { hindrance } else {
                try await unknownReplacement(in: step, app)
            }
        var careful = step
        careful.anyway = false
        let overridden = step.anyway ? StepHindrance(careful, listed, judged) : nil
        return KindProspect(
            listed: listed, verdicts: judged + supposed, hindrance: hindrance, overridden: overridden,
            accepted: try await accepted(step.kind, app), version: version ?? 0)
    }

    /// The losses of a kind that preflight still accepts.
    package func accepted(_ kind: String, _ app: App) async throws(StoreError) -> [AcknowledgementRecord] {
        try await AcknowledgementRegistry(database: database).all(app: app)
            .holding(on: kind, today: ReportingZone.utc.day(of: .now))
    }

    private func unknownReplacement(in step: KindStep, _ app: App) async throws(StoreError) -> StepHindrance? {
        guard let kind = step.decision.replacedBy, try await !knows(kind, of: app, mayBeDeclared: true) else {
            return nil
        }
        return .unknownReplacement(kind, meant: try await nearest(to: kind, of: app))
    }

    /// Takes a step if nothing hinders it. Taking it twice changes nothing.
    ///
    /// - Parameter seen: the ``KindProspect/version`` that the person saw; nil: whatever it is.
    /// - Throws: ``StoreError`` with fault `request` if the app never used the kind.
    package func take(_ step: KindStep, app: App, seen: Int64? = nil) async throws(StoreError) -> StepOutcome {
        let judged = step.decision.lifecycle == .retired ? try await verdicts(on: step.kind, app) : []
        if let hindrance = StepHindrance(step, try await listed(step.kind, app), judged) {
            return .hindered(hindrance)
        }
        do throws(StoreError) {
            let acts = try await mark(kind: step.kind, step.decision, app: app, seen: seen)
            guard acts.isEmpty else { return .recorded(acts) }
        } catch {
            guard error == .overtaken else { throw error }
            return .overtaken(try await listed(step.kind, app).map(\.lifecycle))
        }
        let present = try await listed(step.kind, app).map(\.lifecycle)
        return present.isEmpty || present.contains(step.decision.lifecycle) ? .unchanged : .overtaken(present)
    }

    private func listed(_ kind: String, _ app: App) async throws(StoreError) -> [ListedKind] {
        try await all(appNumber: app.number).filter { $0.kind.hasBytes(of: kind) }
    }

    private func verdicts(on kind: String, _ app: App) async throws(StoreError) -> [KindVerdict] {
        try await DecisionStore(database: database).verdicts(on: app).filter { $0.kind.hasBytes(of: kind) }
    }
}
