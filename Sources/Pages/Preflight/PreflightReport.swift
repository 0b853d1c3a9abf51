package import CensusCore
package import CensusStore

/// How a verdict is printed.
package enum PreflightFormat: String, CaseIterable, Sendable {
    case text, json, junit, github, sarif, markdown
}

/// A verdict with everything its readers need to act on it.
package struct PreflightReport: Sendable {
    /// In printed commands, in place of a version that only the reader knows.
    package static let versionPlaceholder = "VERSION"

    package var verdict: PreflightVerdict
    var release: ComingRelease?
    var file: String
    var location: String
    var places: ManifestPlaces
    var actor: String
    /// The service that answered, for the command that acknowledges; nil: that takes a database.
    var server: String?
    var version: String
    var today: Day

    /// - Parameters:
    ///   - release: what was compared; nil: a manifest that can't be read.
    ///   - file: the manifest's path from the command line; - for standard input or none.
    ///   - location: the manifest's path for a code host.
    ///   - actor: the name that acknowledgements get.
    ///   - server: the URL of the service that answered; nil: acknowledging takes a database.
    ///   - version: this program's.
    package init(
        verdict: PreflightVerdict, on release: ComingRelease? = nil, file: String, location: String,
        places: ManifestPlaces = ManifestPlaces(), actor: String, server: String? = nil, version: String, today: Day
    ) {
        self.verdict = verdict
        self.release = release
        self.file = file
        self.location = location
        self.places = places
        self.actor = actor
        self.server = server
        self.version = version
        self.today = today
    }

    package func text(as format: PreflightFormat) -> String {
        switch format {
        case .text: plainText
        case .json: json
        case .junit: junit
        case .github: github
        case .sarif: sarif
        case .markdown: markdown
        }
    }
}

// The texts that all formats share.
extension PreflightReport {
    /// What was compared; nil if nothing was.
    var comparison: String? {
        guard let base = verdict.base else { return nil }
        let changes = verdict.findings.count { $0.change.rule != .unprefixedIntent }
        var known: [String] = []
        if let coverage = base.coverage {
            known.append("coverage \(coverage.asPercentage(beside: verdict.minimumCoverage))")
        }
        if let asOf = base.asOf { known.append("as of \(ReportingZone.utc.day(of: asOf))") }
        // A silent device can have a version that no active one has.
        let silent = base.devicesSilent
        if let versions = PreflightReport.range(of: base.versions) {
            known.append(silent > 0 ? "the active ones have \(versions)" : versions)
        }
        return "Compared \(changes.counted("change")) against \(base.devicesActive.counted("device"))"
            + (silent > 0 ? " and \(silent.counted("silent one"))" : "")
            + (known.isEmpty ? "" : " (\(known.joined(separator: ", ")))")
    }

    /// - Parameter versions: in their order.
    /// - Returns: nil without versions. Only numbered versions have a first and a last.
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

    /// The last line: can it be released?
    var conclusion: String {
        let lost = verdict.unacknowledged
        let loss = "\(lost.devicesPossible == 0 ? "no device" : range(lost)) would lose \(lossInWords)"
        let accepted =
            verdict.total.devicesPossible > lost.devicesPossible ? ", besides acknowledged losses" : ""
        switch verdict.outcome {
        case .pass:
            return "PASS: \(loss)\(accepted)"
                + (lost.devicesPossible == 0 ? "" : " (allowed: \(verdict.limit.grouped))")
        case .fail:
            return "FAIL: \(loss)\(accepted) (allowed: \(verdict.limit.grouped); see --allow-loss)"
        case .unknown:
            return "UNDECIDED: \(verdict.doubts.joined(separator: "; "))"
                + (verdict.allowsUnknown ? ". It passes because of --allow-unknown" : "")
        case .invalid:
            let what = verdict.problems.isEmpty ? "nothing to compare" : "not a manifest"
            return "\(what): \(verdict.doubts.joined(separator: "; "))"
        }
    }

    /// What the unacknowledged findings take away.
    private var lossInWords: String {
        let open = verdict.findings.filter { $0.severity == .fail || $0.severity == .allowed }
        guard open.contains(where: { $0.change.rule.loss == .settings }) else { return "a widget" }
        return open.contains { $0.change.rule.loss == .widget }
            ? "a widget or its settings" : "at least a widget's settings"
    }

    /// The version, or the file if it is not a manifest.
    var subject: String { verdict.appVersion.isEmpty ? location : verdict.appVersion }

    /// What a finding means for the devices.
    func effect(_ finding: PreflightFinding) -> String {
        let loss = finding.loss
        switch finding.change.rule {
        case .unprefixedIntent: return "the intent's name has no prefix"
        case .intentAdded where loss.devicesPossible > 0:
            return "\(range(loss)) \(loss.devicesPossible == 1 ? "has" : "have") it"
        case .familyUnknown where loss.devicesPossible > 0, .intentUnknown where loss.devicesPossible > 0:
            let what = finding.change.rule == .familyUnknown ? "family" : "intent"
            return "\(loss.devicesPossible.counted("device", "has", "have")) it with an unknown \(what)"
        default: break
        }
        guard loss.devicesPossible > 0 else {
            let takesMore = verdict.findings.contains {
                $0.change.kind == finding.change.kind && $0.loss.devicesPossible > 0
            }
            if verdict.unlisted.contains(finding.change.kind.surface) { return "no device is known to have it" }
            return takesMore ? "no other device would lose it" : "no device would lose it"
        }
        let what = finding.change.rule.loss == .settings ? "at least its settings" : "it"
        var sentence = "\(range(loss)) would lose \(what)"
        if let active = verdict.base?.devicesActive, active > 0 {
            sentence += " (\((Double(loss.devicesPossible) / Double(active)).asPercentage))"
        }
        if loss.devicesSilent > 0 { sentence += ", \(loss.devicesSilent.grouped) of them silent" }
        return sentence
    }

    /// The change in words; nil if the rule says it all.
    func change(_ finding: PreflightFinding) -> String? {
        let change = finding.change
        let (old, new) = (change.old ?? "", change.new ?? "")
        switch change.rule {
        case .kindDropped: return nil
        case .kindRenamed: return "\(new) replaces it"
        case .providerMoved: return "the class is now \(new)"
        case .allFamiliesDropped: return "it no longer offers any family"
        case .familyDropped: return "it no longer offers \(old)"
        case .familyUnknown:
            return "it now lists its families, and neither reports nor manifests say which ones devices have"
        case .intentChanged: return "the intent \(old) becomes \(new)"
        case .intentDropped: return "the intent \(old) is dropped, and the configuration is now static"
        case .intentAdded: return "a static configuration gets the intent \(new)"
        case .intentUnknown: return "the intent is now \(new), and neither reports nor manifests say what it was"
        case .unprefixedIntent: return "the intent is named \(new)"
        }
    }

    /// What to do about the finding.
    func help(_ finding: PreflightFinding) -> String {
        let old = finding.change.old ?? "the old intent"
        switch finding.change.rule {
        case .kindDropped:
            return "keep the kind and hide it from the gallery (`kinds mark --legacy`) until few devices have it; "
                + "`kinds show` says when"
        case .kindRenamed:
            return
                "`replaces` doesn't move placed widgets: keep the old kind beside the new one until few devices have it"
        case .providerMoved:
            return "keep the class in its package: Android identifies a widget by its provider's full class name"
        case .allFamiliesDropped:
            return "an empty list hides the kind from the gallery, and on iOS 14 might hide every widget of the app: "
                + "return it only on devices that lack the kind (`kinds mark --legacy`)"
        case .familyDropped: return "keep the family until few devices have it"
        case .intentChanged:
            return "keep \(old) and add a second kind, or declare `migrates_from` if the new intent is a "
                + "CustomIntentMigratedAppIntent of it"
        case .intentDropped: return "keep \(old), or add a second kind with a static configuration"
        case .intentAdded:
            return
                "in another app, placed widgets survived this change with an App Intent; try the update on a phone first"
        case .familyUnknown:
            return "add the manifests of the versions in use (`manifests add`), or have the app send `family`"
        case .intentUnknown:
            return "add the manifests of the versions in use (`manifests add`), or have the app send `intent`"
        case .unprefixedIntent:
            return
                "give it the app's prefix, because a type named City once crashed the home screen. Once it has shipped, keep "
                + "the name: a new one loses every widget of the kind"
        }
    }

    /// The state of the acknowledgement; nil without one.
    func consent(_ finding: PreflightFinding) -> String? {
        func words(_ given: PreflightAcknowledgement) -> String {
            "acknowledged by \(given.by) for up to \(given.maximumLoss.counted("device")) until \(given.until): \(given.reason)"
        }
        return switch finding.consent {
        case .none: nil
        case .holds(let given): words(given)
        case .expired(let given): "the acknowledgement has expired: \(words(given))"
        case .withdrawn(let given): "\(given.by) withdrew the acknowledgement: \(given.reason)"
        case .exceeded(let given): "the loss is now larger than acknowledged: \(words(given))"
        }
    }

    /// The command that acknowledges the finding; nil if there is nothing to acknowledge.
    func acknowledging(_ finding: PreflightFinding) -> String? {
        guard finding.severity == .fail || finding.severity == .unknown else { return nil }
        let subject: ShellCommand =
            if case .dropping(let kind, let family) = release {
                "--drop \(kind.text)" + (family.map { " --family \($0.text)" } ?? "")
                    + " --release \(PreflightReport.versionPlaceholder)"
            } else {
                "--manifest \(file)"
            }
        let limits: ShellCommand =
            "\(subject) --max-loss \(finding.loss.devicesPossible.roundedUp) --until \(today + 30)"
        let acknowledge: ShellCommand = "widget-census preflight acknowledge \(finding.fingerprint)"
        let command: ShellCommand =
            if let server {
                acknowledge + " \(limits) --server \(server) --key-file manage.key"
            } else {
                acknowledge + " --app \(verdict.appID) \(limits) --by \(actor)"
            }
        return (command + " --because \"...\"").description
    }

    /// The finding in one line, for formats that have only one.
    func message(_ finding: PreflightFinding) -> String {
        [
            "\(finding.change.kind): \(effect(finding))", change(finding)?.capitalizingFirst, consent(finding),
            "help: \(help(finding))",
        ].compactMap { $0 }.joined(separator: ". ")
    }

    private func range(_ loss: PreflightLoss) -> String {
        loss.devicesCertain == loss.devicesPossible
            ? loss.devicesPossible.counted("device")
            : "\(loss.devicesCertain.grouped)–\(loss.devicesPossible.counted("device"))"
    }
}

/// A remark that a code host shows beside a line of the manifest.
struct PreflightRemark {
    enum Level: Int {
        case error, warning, notice
    }

    /// The name of a ``PreflightRule``, or why there is no verdict.
    var rule: String
    var level: Level
    var title: String
    var text: String
    var place: ManifestPlaces.Place
    /// Identifies the remark's subject across runs.
    var fingerprint: String
    /// Whether nothing needs to be done: it was acknowledged, or hits no device.
    var isSettled = false
}

extension PreflightReport {
    // Why there is no verdict.
    static let undecided = (rule: "could_not_decide", summary: "it is not known what the release would take away")
    static let invalid = (rule: "invalid_manifest", summary: "the manifest can't be read, or is for another app")

    /// The findings, and why there is no verdict; most severe first.
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

    /// The place of the kind or its successor in the manifest, else that of the list of kinds.
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
    /// The next number with two significant digits, so that an acknowledgement covers a few more devices.
    fileprivate var roundedUp: Int {
        var step = 1
        while self / step >= 100 { step *= 10 }
        return self / step * step + step
    }
}
