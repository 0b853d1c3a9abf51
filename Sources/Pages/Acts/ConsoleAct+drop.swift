internal import CensusCore
internal import CensusStore

// The loss that a release without the kind will cause: what `preflight --drop` finds, and `preflight acknowledge` records.
extension ConsoleAct {
    /// An acknowledgement that a person is about to give.
    struct Drop: Sendable {
        /// Nil if no device would lose a widget.
        var finding: PreflightFinding?
        var release: String
        var maximumLoss: Int
        var until: Day
        /// The finding's acknowledgement so far.
        var given: AcknowledgementRecord?
        /// Why the release can't drop it.
        var objection: String?
        /// Changes with each acknowledgement of the finding.
        var version: Int64
    }

    static func allowed(_ entry: Entry) throws(Fault) -> (devices: Int, until: Day) {
        guard let devices = Int(entry("max_loss") ?? ""), AppSettings.devices.contains(devices) else {
            throw Fault("the number of devices must be a whole number")
        }
        let days = AcknowledgementRegistry.days(from: ReportingZone.utc.day(of: .now))
        guard let until = Day(entry("until") ?? ""), days.contains(until) else {
            throw Fault("the last day must be from \(days.lowerBound) to \(days.upperBound)")
        }
        return (devices, until)
    }

    /// - Throws: ``StoreError`` with fault `request` if the app never used the kind.
    func drop(of app: App, in store: Store) async throws(StoreError) -> Drop {
        let today = ReportingZone.utc.day(of: .now)
        try await store.kinds.require(kind, of: app)
        let verdict = try await store.installedBase.preflight(
            .dropping(kind: Text(kind)), app: app, allowance: PreflightAllowance(), today: today)
        let place = surface ?? Surface.widget.rawValue
        let finding = verdict.findings.first { $0.change.kind.surface.rawValue == place }
        let release = self["release"] ?? ""
        var (version, objection): (Int64, String?) = (0, nil)
        if let finding {
            version = try await store.acknowledgements.version(of: finding.fingerprint, app: app)
            objection = try await store.installedBase.objection(to: finding, in: release, app: app)
        }
        let given = try await store.acknowledgements.all(app: app)
            .last { $0.acknowledgement.fingerprint == finding?.fingerprint }
        return Drop(
            finding: finding, release: release, maximumLoss: allowed?.devices ?? 0, until: allowed?.until ?? today,
            given: given, objection: objection, version: version)
    }

    func acknowledge(
        _ drop: Drop, by actor: String, _ seen: Int64, _ app: App, _ store: Store
    ) async throws(StoreError) -> ActResult {
        guard let finding = drop.finding, drop.hindrance == nil else {
            return ActResult(act: self, lines: [drop.hindrance?.text ?? ""], isRefused: true)
        }
        let told =
            drop.maximumLoss == 0
            ? "withdrew the acknowledgement of dropping \(kind)"
            : "acknowledged the loss of dropping \(kind): up to \(drop.maximumLoss.counted("device")), until \(drop.until)"
        if let given = drop.given?.acknowledgement, given.maximumLoss == drop.maximumLoss, given.until == drop.until,
            given.by.hasBytes(of: actor), given.reason.hasBytes(of: reason),
            drop.given?.change?.appVersion.hasBytes(of: drop.release) == true
        {
            return ActResult(act: self, lines: [told + "; it was recorded before"])
        }
        try await store.acknowledgements.add(
            finding.fingerprint, maximumLoss: drop.maximumLoss, until: drop.until, by: actor, reason: reason,
            change: finding.acknowledged(in: drop.release), app: app, seen: seen)
        return ActResult(act: self, lines: [told])
    }
}

extension ConsoleAct.Drop {
    var hindrance: Phrase? {
        guard let finding else { return "No device would lose it, so there is nothing to acknowledge." }
        if let objection, maximumLoss > 0 { return Phrase(withCode: objection.ended).capitalized }
        guard finding.isCovered(by: maximumLoss) else {
            return """
                At most \(finding.loss.devicesPossible, "device") would lose it now, so preflight would still fail. Allow that \
                many or more, or 0 to withdraw an acknowledgement.
                """
        }
        return nil
    }

    var effects: [Phrase] {
        guard let loss = finding?.loss else { return [] }
        let now: Phrase = "Now \(loss.devicesCertain) to \(loss.devicesPossible, "device") would lose it."
        guard maximumLoss > 0 else { return [now, "Withdraws the acknowledgement, so preflight fails again."] }
        return [
            now,
            """
            Until \(until), preflight lets a release drop it as long as at most \(maximumLoss, "device") would lose it.
            """,
            "After \(name: release) the watch for losses expects that many, and reports only what goes beyond.",
        ]
    }
}
