internal import CensusCore
internal import CensusStore

// The loss that a release without the kind will cause: what `preflight --drop` finds, and `preflight acknowledge` records.
extension ConsoleAct {
    static func allowed(_ entry: Entry) throws(Fault) -> (devices: Int, until: Day) {
        guard let devices = Int(entry("max_loss") ?? ""), AppSettings.devices.contains(devices) else {
            throw Fault("the number of devices must be a whole number")
        }
        let today = ReportingZone.utc.day(of: .now)
        // A withdrawal needs neither.
        if devices == 0, entry("until") == nil { return (0, today) }
        guard devices == 0 || entry("release") != nil else { throw Fault("fill in: The version that drops it") }
        let days = AcknowledgementRegistry.days(from: today)
        guard let until = Day(entry("until") ?? ""), days.contains(until) else {
            throw Fault("the last day must be from \(days.lowerBound) to \(days.upperBound)")
        }
        return (devices, until)
    }

    func acknowledgement(by actor: String) -> AcknowledgementStep {
        AcknowledgementStep(
            .surface(surface ?? Surface.widget.rawValue), of: .dropping(kind: Text(kind)),
            version: self["release"] ?? "",
            maximumLoss: allowed?.devices ?? 0, until: allowed?.until ?? ReportingZone.utc.day(of: .now), by: actor,
            because: reason)
    }

    func acknowledge(
        by actor: String, _ seen: Int64, _ app: App, _ store: Store
    ) async throws(StoreError) -> ActResult {
        let step = acknowledgement(by: actor)
        let told =
            step.isWithdrawal
            ? "withdrew the acknowledgement of dropping \(kind)"
            : "acknowledged the loss of dropping \(kind): up to \(step.maximumLoss.counted("device")), until \(step.until)"
        return switch try await store.installedBase.take(step, app: app, seen: seen) {
        case .recorded: ActResult(act: self, lines: [told])
        case .unchanged: ActResult(act: self, lines: [told + "; it was recorded before"])
        case .hindered(let hindrance): ActResult(act: self, lines: [hindrance.phrase.text], isRefused: true)
        }
    }
}

extension AcknowledgementHindrance {
    /// With what to do about it in the console.
    var phrase: Phrase {
        let sentence = Phrase(withCode: sentence.ended).capitalized
        return switch self {
        case .unknownFinding: "No device would lose it, so there is nothing to acknowledge."
        case .tooFew: "\(sentence) Allow that many or more, or 0 to withdraw an acknowledgement."
        case .wrongRelease, .notAcknowledged: sentence
        }
    }
}

extension AcknowledgementProspect {
    /// What a step would do, most important first.
    func effects(of step: AcknowledgementStep) -> [Phrase] {
        let now: Phrase? = finding.map {
            "Now \($0.loss.devicesCertain) to \($0.loss.devicesPossible, "device") would lose it."
        }
        guard !step.isWithdrawal else {
            return [now, "Withdraws the acknowledgement, so preflight fails again."].compactMap(\.self)
        }
        return [
            now,
            """
            Until \(step.until), preflight lets a release drop it as long as at most \(step.maximumLoss, "device") would lose \
            it.
            """,
            "After \(name: step.version) the watch for losses expects that many, and reports only what goes beyond.",
        ].compactMap(\.self)
    }
}
