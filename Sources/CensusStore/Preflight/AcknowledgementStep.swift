package import CensusCore

/// A loss of a coming release that a person is about to accept, or accepts no longer, with the rules for when they may. The
/// command line, the console and the API all use it.
package struct AcknowledgementStep: Hashable, Sendable {
    package enum Finding: Hashable, Sendable {
        case fingerprint(String)
        /// The only finding on a surface, if the release drops a kind.
        case surface(String)
    }

    package var finding: Finding
    /// Nil: there is only an acknowledgement to withdraw.
    package var release: ComingRelease?
    /// The version to be released; empty without a release.
    package var version: String
    /// Devices; 0 withdraws the acknowledgement.
    package var maximumLoss: Int
    package var until: Day
    package var actor: String
    package var reason: String

    package init(
        _ finding: Finding, of release: ComingRelease?, version: String, maximumLoss: Int, until: Day,
        by actor: String, because reason: String
    ) {
        self.finding = finding
        self.release = release
        self.version = version
        self.maximumLoss = maximumLoss
        self.until = until
        self.actor = actor
        self.reason = reason
    }

    package var isWithdrawal: Bool { maximumLoss == 0 }

    /// The coming version, if the release is only what it drops. A manifest says its own.
    fileprivate var claimedVersion: String? {
        if case .dropping = release { version } else { nil }
    }

    fileprivate func concerns(_ finding: PreflightFinding) -> Bool {
        switch self.finding {
        case .fingerprint(let fingerprint): finding.fingerprint == fingerprint
        case .surface(let surface): finding.change.kind.surface.rawValue == surface
        }
    }
}

/// Why a step may not be taken.
package enum AcknowledgementHindrance: Hashable, Sendable {
    /// Preflight finds others, if any.
    case unknownFinding([PreflightFinding])
    /// More devices would lose it now than the acknowledgement allows.
    case tooFew(PreflightFinding)
    /// Why the version can't be the one to be released.
    case wrongRelease(String)
    /// There is nothing to withdraw.
    case notAcknowledged
}

/// What a step would be based on.
package struct AcknowledgementProspect: Sendable {
    /// Nil: the release has no loss of that kind now, or there is no release to compare.
    package var finding: PreflightFinding?
    /// The last acknowledgement of the finding.
    package var given: AcknowledgementRecord?
    package var hindrance: AcknowledgementHindrance?
    /// Changes with each acknowledgement of the finding.
    package var version: Int64
    fileprivate var fingerprint: String?

    /// Whether there is an acknowledgement that was not withdrawn.
    fileprivate var holds: Bool { (given?.acknowledgement.maximumLoss ?? 0) > 0 }
}

package enum AcknowledgementOutcome: Hashable, Sendable {
    /// With the finding, if it is known.
    case recorded(AcknowledgedChange?)
    /// The last acknowledgement says the same.
    case unchanged(AcknowledgedChange?)
    case hindered(AcknowledgementHindrance)
}

extension InstalledBase {
    /// What a step would be based on, and what hinders it. Stores nothing.
    ///
    /// - Throws: ``StoreError`` with fault `request` if the app never used the kind or the family that a release drops.
    package func prospect(
        of step: AcknowledgementStep, app: App
    ) async throws(StoreError) -> AcknowledgementProspect {
        var verdict: PreflightVerdict?
        if let release = step.release {
            if case .dropping(let kind, _) = release {
                try await KindRegistry(database: database).require(kind.text, of: app)
            }
            verdict = try await preflight(
                release, app: app, allowance: PreflightAllowance(), today: ReportingZone.utc.day(of: .now))
        }
        let finding = verdict?.findings.first(where: step.concerns)
        var prospect = AcknowledgementProspect(finding: finding, version: 0, fingerprint: finding?.fingerprint)
        if case .fingerprint(let fingerprint) = step.finding { prospect.fingerprint = fingerprint }
        if let fingerprint = prospect.fingerprint {
            // First, so that an acknowledgement given meanwhile is noticed.
            prospect.version = try await acknowledgements.version(of: fingerprint, app: app)
            prospect.given = try await acknowledgements.all(app: app).last {
                $0.acknowledgement.fingerprint == fingerprint
            }
        }
        prospect.hindrance = try await hindrance(of: step, prospect, verdict, app)
        return prospect
    }

    private func hindrance(
        of step: AcknowledgementStep, _ prospect: AcknowledgementProspect, _ verdict: PreflightVerdict?, _ app: App
    ) async throws(StoreError) -> AcknowledgementHindrance? {
        if step.release != nil, let objection = AcknowledgementStep.objection(to: step.version), !step.isWithdrawal {
            return .wrongRelease(objection)
        }
        guard let verdict else { return prospect.holds ? nil : .notAcknowledged }
        guard let finding = prospect.finding else { return .unknownFinding(verdict.findings) }
        if step.isWithdrawal { return prospect.holds ? nil : .notAcknowledged }
        guard step.maximumLoss >= finding.loss.devicesPossible else { return .tooFew(finding) }
        if let objection = verdict.objection(to: finding, in: step.version) { return .wrongRelease(objection) }
        guard let version = step.claimedVersion else { return nil }
        return try await manifestKeeping(finding, in: version, app).map { .wrongRelease($0) }
    }

    /// Why a version can't drop what a finding says, by its manifest; nil if that doesn't have it.
    private func manifestKeeping(
        _ finding: PreflightFinding, in version: String, _ app: App
    ) async throws(StoreError) -> String? {
        let declared = try await manifests.all(app: app).first { $0.manifest.appVersion.hasBytes(of: version) }?
            .manifest.kinds.first { $0.id == finding.change.kind }
        guard let declared else { return nil }
        if let family = finding.change.old, finding.change.rule == .familyDropped,
            declared.families?.contains(Text(family)) == false
        {
            return nil
        }
        return "the manifest of \(version) has \(declared.name), so that version does not drop it"
    }

    /// Takes a step if nothing hinders it. Taking it twice changes nothing.
    ///
    /// - Parameter seen: the ``AcknowledgementProspect/version`` that the person saw; nil: whatever it is.
    /// - Throws: as ``prospect(of:app:)``, or ``StoreError/overtaken``.
    package func take(
        _ step: AcknowledgementStep, app: App, seen: Int64? = nil
    ) async throws(StoreError) -> AcknowledgementOutcome {
        let prospect = try await prospect(of: step, app: app)
        if step.isWithdrawal, let given = prospect.given, given.says(step, nil) { return .unchanged(given.change) }
        if let hindrance = prospect.hindrance { return .hindered(hindrance) }
        // A withdrawal can be for all releases.
        let isForNoRelease = step.isWithdrawal && step.version.isEmpty
        let change = (isForNoRelease ? nil : prospect.finding).map { finding in
            AcknowledgedChange(
                rule: finding.change.rule.rawValue, surface: finding.change.kind.surface.rawValue,
                kind: finding.change.kind.kind.text, appVersion: step.version)
        }
        if let given = prospect.given, given.says(step, change) { return .unchanged(given.change) }
        do throws(StoreError) {
            try await acknowledgements.add(
                prospect.fingerprint ?? "", maximumLoss: step.maximumLoss, until: step.until, by: step.actor,
                reason: step.reason, change: change, app: app, seen: seen ?? prospect.version)
        } catch {
            // Somebody gave another one, or the same one, since it was read.
            guard seen == nil, error == .overtaken else { throw error }
            return try await take(step, app: app)
        }
        return .recorded(change ?? prospect.given?.change)
    }
}

extension AcknowledgementRecord {
    /// A withdrawal is for all releases, and has no last day.
    fileprivate func says(_ step: AcknowledgementStep, _ change: AcknowledgedChange?) -> Bool {
        acknowledgement.maximumLoss == step.maximumLoss && acknowledgement.by.hasBytes(of: step.actor)
            && acknowledgement.reason.hasBytes(of: step.reason)
            && (step.isWithdrawal
                || acknowledgement.until == step.until && (self.change?.appVersion).hasBytes(of: change?.appVersion))
    }
}

extension AcknowledgementStep {
    /// Why no release can have such a version; nil if one can.
    fileprivate static func objection(to version: String) -> String? {
        let scalars = version.unicodeScalars
        let isOdd =
            [scalars.first, scalars.last].contains { $0?.properties.isWhitespace ?? true }
            || scalars.contains { $0.properties.generalCategory == .control }
        return isOdd
            ? "the version is blank, has white space at an end or a control character, as no release's version has"
            : nil
    }
}
