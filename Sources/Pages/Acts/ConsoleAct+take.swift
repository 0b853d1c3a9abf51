internal import CensusCore
package import CensusStore

extension ConsoleAct {
    /// What it would do now. Changes nothing.
    ///
    /// - Throws: ``StoreError`` with fault `request` if the app never used the kind.
    package func preview(
        by actor: String, of app: App, in store: Store
    ) async throws(StoreError) -> ActPreview {
        var preview = ActPreview(act: self, actor: actor)
        switch verb {
        case .mark, .replace, .retire, .reopen:
            let step = step(by: actor)
            let prospect = try await store.kinds.prospect(of: step, app: app)
            preview.effects = prospect.effects(of: step)
            preview.hindrance = prospect.hindrance?.phrase(on: kind)
            preview.seen = prospect.version
        case .acknowledge, .close:
            preview.seen = try await store.losses.version(of: app, kind: kind, version: version)
            let incidents = try await incidents(of: app, in: store)
            preview.effects = incidents.flatMap { $0.effects(of: lossState) }
            preview.hindrance = incidents.hindrance(of: lossState)
        case .acknowledgeDrop:
            let step = acknowledgement(by: actor)
            let prospect = try await store.installedBase.prospect(of: step, app: app)
            preview.effects = prospect.effects(of: step)
            preview.hindrance = prospect.hindrance?.phrase
            preview.seen = prospect.version
        case .limit:
            preview.seen = try await store.apps.version(of: app)
            let prospect = try await store.apps.prospect(
                limits ?? AppSettings(), of: store.apps.app(app.id), by: actor, because: reason)
            preview.effects = prospect.effects
            preview.hindrance = prospect.changes.isEmpty ? "The app already has these limits." : nil
        }
        return preview
    }

    /// Carries it out, by the rules of the command line. Doing so twice changes nothing.
    ///
    /// - Parameter seen: ``ActPreview/seen`` of the preview that the person confirmed.
    /// - Throws: as ``preview(by:of:in:)``.
    package func take(
        by actor: String, seen: Int64, of app: App, in store: Store
    ) async throws(StoreError) -> ActResult {
        do throws(StoreError) {
            return try await taken(by: actor, seen, app, store)
        } catch {
            guard error == .overtaken else { throw error }
            return ActResult(act: self, lines: [StoreError.overtaken.description.capitalizingFirst], isRefused: true)
        }
    }

    private func taken(
        by actor: String, _ seen: Int64, _ app: App, _ store: Store
    ) async throws(StoreError) -> ActResult {
        switch verb {
        case .mark, .replace, .retire, .reopen:
            let step = step(by: actor)
            let outcome = try await store.kinds.take(step, app: app, seen: seen)
            if case .hindered(let hindrance) = outcome {
                return ActResult(act: self, lines: [hindrance.phrase(on: kind).text], isRefused: true)
            }
            if verb == .replace, case .recorded = outcome {
                return ActResult(
                    act: self, lines: ["\(self["replaced_by"] ?? "") now replaces \(kind): decided by \(actor)"])
            }
            return ActResult(
                act: self, lines: outcome.told(of: step).split(separator: "\n").map(String.init),
                isRefused: outcome.isRefused)
        case .acknowledge, .close:
            let incidents = try await store.losses.act(
                lossState, kind: kind, version: version, by: actor, because: reason, app: app, seen: seen)
            return ActResult(act: self, lines: incidents.told(kind, version, lossState, by: actor))
        case .acknowledgeDrop: return try await acknowledge(by: actor, seen, app, store)
        case .limit: return try await limit(by: actor, seen, app, store)
        }
    }
}

extension StepOutcome {
    fileprivate var isRefused: Bool {
        switch self {
        case .recorded, .unchanged: false
        case .hindered, .overtaken: true
        }
    }
}

// Decisions on a kind.
extension ConsoleAct {
    private func step(by actor: String) -> KindStep {
        let lifecycle: Lifecycle =
            switch verb {
            case .mark, .replace: .legacy
            case .retire: .retired
            default: .active
            }
        let decision = KindDecision(lifecycle, by: actor, because: reason, replacedBy: self["replaced_by"])
        return KindStep(kind, decision, anyway: self["anyway"] == "yes")
    }
}

// Losses after updates.
extension ConsoleAct {
    private var lossState: LossState { verb == .close ? .closed : .acknowledged }

    private func incidents(of app: App, in store: Store) async throws(StoreError) -> [LossIncident] {
        try await store.losses.incidents(of: app, in: LossState.allCases)
            .filter { $0.kind.hasBytes(of: kind) && $0.toVersion.hasBytes(of: version) }
    }
}

extension [LossIncident] {
    /// Why their state can't change.
    fileprivate func hindrance(of state: LossState) -> Phrase? {
        if contains(where: { $0.state == .open || $0.state == .acknowledged && state == .closed }) { return nil }
        guard let first else { return "No update to that version is watched for losses of this kind." }
        return first.state == .watched ? "This is not an incident." : "It is already \(first.state.rawValue)."
    }
}

extension LossIncident {
    fileprivate func effects(of state: LossState) -> [Phrase] {
        guard self.state == .open || self.state == .acknowledged && state == .closed else { return [] }
        let rest: Phrase =
            state == .closed
            ? "It never opens again, whatever else is lost in these updates."
            : "It is still counted and shown, but no longer keeps the kind from becoming ready."
        return ["\(headline).", rest, "Tells the app's webhooks."]
    }
}

// The app's limits.
extension ConsoleAct {
    package typealias Entry = (String) -> String?

    /// - Parameter entry: nil for a limit that isn't given.
    package static func limits(_ entry: Entry) throws(Fault) -> AppSettings {
        var settings = AppSettings()
        settings.limitDevices = try number("limit", entry)
        settings.limitShare = try share("limit_share", entry)
        settings.readyDays = try number("ready_days", entry)
        settings.minimumCoverage = try share("coverage", entry)
        if let fault = settings.fault { throw Fault(fault) }
        return settings
    }

    private static func number(_ name: String, _ entry: Entry) throws(Fault) -> Int? {
        guard let text = entry(name) else { return nil }
        guard let number = Int(text) else { throw Fault("\(name) must be a whole number") }
        return number
    }

    private static func share(_ name: String, _ entry: Entry) throws(Fault) -> Double? {
        guard let text = entry(name) else { return nil }
        guard let share = Double(share: text) else {
            throw Fault("\(name) must be a share such as 0.0003 or 0.03%")
        }
        return share
    }

    private func limit(
        by actor: String, _ seen: Int64, _ app: App, _ store: Store
    ) async throws(StoreError) -> ActResult {
        let limits = limits ?? AppSettings()
        guard let act = try await store.apps.set(app.id, limits, by: actor, because: reason, seen: seen) else {
            return ActResult(act: self, lines: ["\(app.id) already had these settings"])
        }
        return ActResult(act: self, lines: act.told(of: app.id))
    }
}

extension SettingAct {
    /// What was changed, and which verdicts that turned.
    package func told(of app: String) -> [String] {
        ["changed \(app): \(changes.map(\.text).joined(separator: ", "))"]
            + verdicts.filter { $0.before != $0.after }.map {
                "\($0.kind)\($0.surface.onSurface) was \($0.before), and is now \($0.after)"
            }
    }

    fileprivate var effects: [Phrase] {
        changes.map { "Changes \($0.inWords), for every kind of the app." }
            + verdicts.map { verdict in
                verdict.before == verdict.after
                    ? "\(name: verdict.kind)\(verdict.surface.onSurface) stays \(verdict.before)."
                    : "\(name: verdict.kind)\(verdict.surface.onSurface) is \(verdict.before), and would be \(strong: verdict.after)."
            }
    }
}

extension SettingAct.Change {
    /// The limit by its name on the page.
    fileprivate var inWords: String {
        let (name, isShare) =
            switch setting {
            case "limit_devices": ("the limit in devices", false)
            case "limit_share": ("the limit as a share of the active devices", true)
            case "ready_days": ("the days on which the limit must hold", false)
            case "coverage": ("the share of the active devices that must report", true)
            default: (setting, false)
            }
        func shown(_ value: String) -> String {
            if isShare { return Double(value).map(\.asPercentage) ?? value }
            return Int(value).map(\.grouped) ?? value
        }
        return "\(name) from \(shown(from)) to \(shown(to))"
    }
}

extension AppSettings {
    /// The limits among them, by the names of their fields, as ``ConsoleAct/limits(_:)`` reads them.
    var entries: [(name: String, value: String)] {
        [
            ("limit", limitDevices.map { "\($0)" }), ("limit_share", limitShare.map { "\($0)" }),
            ("ready_days", readyDays.map { "\($0)" }), ("coverage", minimumCoverage.map { "\($0)" }),
        ].compactMap { name, value in value.map { (name, $0) } }
    }
}
