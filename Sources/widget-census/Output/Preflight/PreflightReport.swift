internal import ArgumentParser
internal import CensusCore
internal import CensusStore

/// How a verdict is printed.
enum PreflightFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, junit, github, sarif
}

/// A verdict with what its reader needs to act on it.
struct PreflightReport {
    var verdict: PreflightVerdict
    /// The manifest as it was named on the command line.
    var file: String
    /// The manifest as a code host names it.
    var location: String
    var places = ManifestPlaces()
    /// Who would acknowledge.
    var actor: String
    var today: Day

    func text(as format: PreflightFormat) -> String {
        switch format {
        case .text: plainText
        case .json: json
        case .junit: junit
        case .github: github
        case .sarif: sarif
        }
    }
}

// The words that all formats share.
extension PreflightReport {
    /// What was compared; nil when nothing was.
    var comparison: String? {
        guard let base = verdict.base else { return nil }
        let changes = verdict.findings.count { $0.change.rule != .unprefixedIntent }
        var known: [String] = []
        if let coverage = base.coverage {
            known.append("coverage \(coverage.asPercentage(beside: verdict.minimumCoverage))")
        }
        if let asOf = base.asOf { known.append("as of \(ReportingZone.utc.day(of: asOf))") }
        if let versions = PreflightReport.range(of: base.versions) { known.append(versions) }
        return "Compared \(changes.counted("change")) against \(base.devicesActive.counted("device"))"
            + (known.isEmpty ? "" : " (\(known.joined(separator: ", ")))")
    }

    /// - Parameter versions: in their order.
    /// - Returns: nil for none. Only numbered versions have a first and a last.
    static func range(of versions: [String]) -> String? {
        let numbered = versions.filter { Version($0).isNumbered }
        let others = versions.filter { !Version($0).isNumbered }
        var parts: [String] = []
        if let first = numbered.first, let last = numbered.last {
            parts.append(numbered.count == 1 ? first : "\(first) to \(last)")
        }
        if !others.isEmpty { parts.append(others.count == 1 ? others[0] : "\(others.count) without a number") }
        guard !parts.isEmpty else { return nil }
        return (versions.count == 1 ? "version " : "versions ") + parts.joined(separator: " and ")
    }

    /// The last line: may it be released?
    var conclusion: String {
        let lost = verdict.unacknowledged
        let loss = lost.devicesPossible == 0 ? "no device loses a widget" : "\(range(lost)) \(lose(lost)) a widget"
        let accepted =
            verdict.total.devicesPossible > lost.devicesPossible
            ? ", beside what was acknowledged" : ""
        switch verdict.outcome {
        case .pass:
            return "pass: \(loss)\(accepted)" + (lost.devicesPossible == 0 ? "" : "; \(verdict.limit.grouped) may")
        case .fail: return "fail: \(loss)\(accepted); \(verdict.limit.grouped) may (--allow-loss)"
        case .unknown:
            return "could not decide: \(verdict.doubts.joined(separator: "; "))"
                + (verdict.allowsUnknown ? ". It passes because of --allow-unknown" : "")
        case .invalid:
            let what = verdict.problems.isEmpty ? "nothing to compare" : "not a manifest"
            return "\(what): \(verdict.doubts.joined(separator: "; "))"
        }
    }

    /// The release, or what should have been one.
    var subject: String { verdict.appVersion.isEmpty ? location : verdict.appVersion }

    /// What a finding means for the devices.
    func effect(_ finding: PreflightFinding) -> String {
        let loss = finding.loss
        switch finding.change.rule {
        case .unprefixedIntent: return "the intent's name has no prefix"
        case .intentAdded where loss.devicesPossible > 0:
            return "\(range(loss)) \(loss.devicesPossible == 1 ? "holds" : "hold") it"
        case .familyUnknown where loss.devicesPossible > 0, .intentUnknown where loss.devicesPossible > 0:
            let what = finding.change.rule == .familyUnknown ? "a family" : "an intent"
            return
                "\(loss.devicesPossible.counted("device", "holds", "hold")) it with \(what) that is not known"
        default: break
        }
        guard loss.devicesPossible > 0 else {
            let takesMore = verdict.findings.contains {
                $0.change.kind == finding.change.kind && $0.loss.devicesPossible > 0
            }
            return takesMore ? "no other device loses it" : "no device holds it"
        }
        var sentence = "\(range(loss)) \(lose(loss)) it"
        if let active = verdict.base?.devicesActive, active > 0 {
            sentence += " (\((Double(loss.devicesPossible) / Double(active)).asPercentage))"
        }
        if loss.devicesSilent > 0 { sentence += ", \(loss.devicesSilent.grouped) of them silent" }
        return sentence
    }

    /// What changes, in words; nil where the rule says it all.
    func change(_ finding: PreflightFinding) -> String? {
        let change = finding.change
        let (old, new) = (change.old ?? "", change.new ?? "")
        switch change.rule {
        case .kindDropped: return nil
        case .kindRenamed: return "\(new) replaces it"
        case .providerMoved: return "the class is \(new) now"
        case .allFamiliesDropped: return "it offers no family any more"
        case .familyDropped: return "it does not offer \(old) any more"
        case .familyUnknown: return "it lists its families now; which ones are held, neither reports nor manifests say"
        case .intentChanged: return "the intent \(old) becomes \(new)"
        case .intentDropped: return "the intent \(old) goes: the configuration is static now"
        case .intentAdded: return "a static configuration gets the intent \(new)"
        case .intentUnknown: return "the intent is \(new) now; what it was, neither reports nor manifests say"
        case .unprefixedIntent: return "the intent is called \(new)"
        }
    }

    /// The way out.
    func help(_ finding: PreflightFinding) -> String {
        let old = finding.change.old ?? "the old intent"
        switch finding.change.rule {
        case .kindDropped:
            return "keep the kind and hide it from the gallery (`kinds mark --legacy`) until few devices hold it: "
                + "`kinds show` says when"
        case .kindRenamed:
            return "`replaces` moves no placed widget: keep the old kind beside the new one until few devices hold it"
        case .providerMoved:
            return "keep the class where it was: Android knows a widget by its provider's class, package included"
        case .allFamiliesDropped:
            return "an empty list hides the kind from the gallery, and on iOS 14 may hide every widget of the app: "
                + "let only devices that lack the kind see it empty (`kinds mark --legacy`)"
        case .familyDropped: return "keep the family until few devices hold it"
        case .intentChanged:
            return "keep \(old) and add a second kind, or declare `migrates_from` if the new intent is a "
                + "CustomIntentMigratedAppIntent of it"
        case .intentDropped: return "keep \(old), or add a second kind with a static configuration"
        case .intentAdded:
            return
                "placed widgets stayed where another app did this with an App Intent: try the update on a phone first"
        case .familyUnknown:
            return "add the manifests of the versions in use (`manifests add`), or have the app send `family`"
        case .intentUnknown:
            return "add the manifests of the versions in use (`manifests add`), or have the app send `intent`"
        case .unprefixedIntent:
            return
                "give it the app's prefix: a type named City once crashed the home screen. After it shipped, leave it: "
                + "renaming it loses every widget of the kind"
        }
    }

    /// What to say about an acknowledgement; nil without one.
    func consent(_ finding: PreflightFinding) -> String? {
        func words(_ given: PreflightAcknowledgement) -> String {
            "acknowledged by \(given.by) for up to \(given.maximumLoss.counted("device")) until \(given.until): \(given.reason)"
        }
        return switch finding.consent {
        case .none: nil
        case .holds(let given): words(given)
        case .expired(let given): "the acknowledgement has expired: \(words(given))"
        case .exceeded(let given): "more may be lost now than was acknowledged: \(words(given))"
        }
    }

    /// The command that acknowledges a finding; nil where there is nothing to acknowledge.
    func acknowledging(_ finding: PreflightFinding) -> String? {
        guard finding.severity == .fail || finding.severity == .unknown else { return nil }
        let manifest: ShellCommand = file == "-" ? "" : " --manifest \(file)"
        return ShellCommand(
            """
            widget-census preflight ack \(finding.fingerprint) --app \(verdict.appID)\(manifest) \
            --max-loss \(finding.loss.devicesPossible.roundedUp) --until \(today + 30) --by \(actor) --reason "..."
            """
        ).description
    }

    /// One line, for formats that have only one.
    func message(_ finding: PreflightFinding) -> String {
        [
            "\(finding.change.kind): \(effect(finding))", change(finding)?.capitalizingFirst, consent(finding),
            "help: \(help(finding))",
        ].compactMap { $0 }.joined(separator: ". ")
    }

    private func range(_ loss: PreflightLoss) -> String {
        loss.devicesCertain == loss.devicesPossible
            ? loss.devicesPossible.counted("device")
            : "\(loss.devicesCertain.grouped) to \(loss.devicesPossible.counted("device"))"
    }

    private func lose(_ loss: PreflightLoss) -> String { loss.devicesPossible == 1 ? "loses" : "lose" }
}

/// What a code host shows beside a line of the manifest.
struct PreflightRemark {
    enum Level: Int {
        case error, warning, notice
    }

    /// Of ``PreflightRule``, or why nothing was decided.
    var rule: String
    var level: Level
    var title: String
    var text: String
    var place: ManifestPlaces.Place
    /// Stays the same for as long as the remark is about the same thing.
    var fingerprint: String
    /// Whether it calls for nothing: it was acknowledged, or hits nobody.
    var isSettled = false
}

extension PreflightReport {
    /// Why there is no decision, where there is none.
    static let undecided = (rule: "could_not_decide", summary: "it could not be decided what the release takes away")
    static let invalid = (rule: "invalid_manifest", summary: "the manifest can't be read, or is of another app")

    /// The findings, and why it could not be decided; the gravest first.
    var remarks: [PreflightRemark] {
        (reasons + verdict.findings.map(remark)).enumerated()
            .sorted { ($0.element.level.rawValue, $0.offset) < ($1.element.level.rawValue, $1.offset) }.map(\.element)
    }

    private var reasons: [PreflightRemark] {
        if !verdict.problems.isEmpty {
            return verdict.problems.map { problem in
                PreflightRemark(
                    rule: PreflightReport.invalid.rule, level: .error, title: PreflightReport.invalid.rule,
                    text: problem.description, place: places.place(at: problem.pointer),
                    fingerprint: "\(PreflightReport.invalid.rule) \(problem.pointer)")
            }
        }
        guard !verdict.doubts.isEmpty else { return [] }
        let rule = verdict.outcome == .invalid ? PreflightReport.invalid.rule : PreflightReport.undecided.rule
        return [
            PreflightRemark(
                rule: rule, level: verdict.isPassed || verdict.outcome == .fail ? .warning : .error, title: rule,
                text: verdict.doubts.joined(separator: "\n"), place: places.place(at: "/app"), fingerprint: rule)
        ]
    }

    private func remark(_ finding: PreflightFinding) -> PreflightRemark {
        let level: PreflightRemark.Level =
            switch finding.severity {
            case .fail: .error
            case .unknown, .warn, .allowed: .warning
            case .acknowledged, .none: .notice
            }
        let text = [message(finding), acknowledging(finding).map { "acknowledge: \($0)" }]
        return PreflightRemark(
            rule: finding.change.rule.rawValue, level: level,
            title: "\(finding.change.rule.rawValue) \(finding.change.kind)",
            text: text.compactMap { $0 }.joined(separator: "\n"), place: place(finding.change),
            fingerprint: finding.fingerprint, isSettled: level == .notice)
    }

    /// The kind that the manifest has, or the list that lacks it.
    private func place(_ change: PreflightChange) -> ManifestPlaces.Place {
        let successor: Manifest.Kind.ID? =
            switch change.rule {
            case .kindRenamed, .providerMoved: change.new.map { .init(surface: change.kind.surface, kind: Text($0)) }
            default: nil
            }
        return successor.flatMap(places.place) ?? places.place(of: change.kind) ?? places.place(at: "/kinds")
    }
}

extension PreflightFinding.Severity {
    var heading: String {
        switch self {
        case .fail: "FAIL"
        case .unknown: "?"
        case .allowed: "loss"
        case .acknowledged: "ack"
        case .warn: "WARN"
        case .none: "ok"
        }
    }
}

extension Int {
    /// The next number of two significant digits: an acknowledgement must survive a few more devices.
    fileprivate var roundedUp: Int {
        var step = 1
        while self / step >= 100 { step *= 10 }
        return self / step * step + step
    }
}
