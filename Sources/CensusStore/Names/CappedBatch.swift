internal import CensusCore

/// A batch after an app's caps were applied to it.
struct CappedBatch {
    /// Events whose kinds exceed the cap are refused. Families that exceed it are renamed to `Batch.other`.
    private(set) var batch: Batch
    /// Names that the batch uses for the first time.
    private(set) var fresh = KnownNames()
    /// How many more kinds and families are allowed.
    private var allowed: (kinds: Int, families: Int)
    /// These don't count against the caps.
    private let declared: KnownNames

    /// More warnings about families help nobody.
    private static let mostWarnings = 10

    /// - Parameter declared: names in manifests, which count against no cap; neither do WidgetKit's own families.
    init(_ batch: Batch, names: KnownNames, declared: KnownNames, caps: NameCaps) {
        self.batch = batch
        self.declared = declared
        // A lowered cap rejects new names, not old ones.
        allowed = (
            caps.kinds - names.kinds.count { !declared.kinds.contains($0) },
            caps.families - names.families.count { !declared.isFree(family: $0) }
        )
        admitVersions(names, caps)
        var warnings: [BatchWarning] = []
        for (position, event) in batch.events.enumerated() {
            guard case .success(var accepted) = event else { continue }
            let kinds = Set(accepted.event.models.map { Text($0.kind) }).subtracting(names.kinds)
                .subtracting(fresh.kinds)
            let counted = kinds.subtracting(declared.kinds).count
            guard counted == 0 || counted <= allowed.kinds else {
                refuse(
                    accepted, at: position,
                    "the app has used \(caps.kinds) kinds, which is its limit, so new ones are refused")
                continue
            }
            fresh.kinds.formUnion(kinds)
            allowed.kinds -= counted
            let others = admitFamilies(of: accepted.event, names)
            guard !others.isEmpty else { continue }
            accepted.event = accepted.event.renamingFamilies { others.contains(Text($0)) ? Batch.other : nil }
            self.batch.events[position] = .success(accepted)
            warnings.append(BatchWarning(otherFamilyIn: accepted, cap: caps.families))
        }
        self.batch.warnings = Array((warnings.prefix(CappedBatch.mostWarnings) + batch.warnings).prefix(100))
    }

    /// Admits families while the cap allows, by kind and name, so that a resent event keeps the same families.
    ///
    /// - Returns: those that are not admitted.
    private mutating func admitFamilies(of event: EncodedEvent, _ names: KnownNames) -> Set<Text> {
        var others: Set<Text> = []
        for model in event.models {
            guard let family = model.family.map({ Text($0) }), family != Text(Batch.other),
                !names.families.contains(family), !fresh.families.contains(family)
            else { continue }
            if declared.isFree(family: family) {
                fresh.families.insert(family)
            } else if allowed.families > 0 {
                allowed.families -= 1
                fresh.families.insert(family)
            } else {
                others.insert(family)
            }
        }
        return others
    }

    private mutating func admitVersions(_ names: KnownNames, _ caps: NameCaps) {
        let version = Text(batch.circumstances.appVersion)
        if !names.appVersions.contains(version) {
            if names.appVersions.count < caps.appVersions {
                fresh.appVersions.insert(version)
            } else {
                batch.circumstances.appVersion = Batch.other
            }
        }
        if let release = batch.circumstances.osRelease.map({ Text($0) }), !names.osReleases.contains(release) {
            if names.osReleases.count < caps.osReleases {
                fresh.osReleases.insert(release)
            } else {
                batch.circumstances.osVersion = Batch.other
            }
        }
    }

    private mutating func refuse(_ event: BatchEvent, at position: Int, _ sentence: String) {
        batch.events[position] = .failure(
            RefusedEvent(
                index: event.index, id: event.id, refusal: .tooManyKinds(sentence), source: event.event.content))
    }
}

extension KnownNames {
    /// Whether a family counts against no cap, because it is one of these or WidgetKit's own.
    fileprivate func isFree(family: Text) -> Bool {
        families.contains(family) || WidgetKitFamily.names.contains(family.text)
    }

    mutating func formUnion(_ other: KnownNames) {
        kinds.formUnion(other.kinds)
        families.formUnion(other.families)
        appVersions.formUnion(other.appVersions)
        osReleases.formUnion(other.osReleases)
    }

    func hasAll(of batch: Batch) -> Bool {
        guard appVersions.contains(Text(batch.circumstances.appVersion)),
            batch.circumstances.osRelease.map({ osReleases.contains(Text($0)) }) ?? true
        else { return false }
        // Most events of a phone have the same names, so look those up once.
        var last: [Placement.Model] = []
        for case .success(let event) in batch.events where event.event.models != last {
            last = event.event.models
            for model in last {
                guard kinds.contains(Text(model.kind)) else { return false }
                guard let family = model.family, !family.hasBytes(of: Batch.other) else { continue }
                guard families.contains(Text(family)) else { return false }
            }
        }
        return true
    }
}

extension BatchWarning {
    fileprivate init(otherFamilyIn event: BatchEvent, cap: Int) {
        self.init(
            code: .otherFamily, index: event.index,
            message: "the app has used \(cap) families, which is its limit, so a new one counts as `\(Batch.other)`",
            pointer: "/events/\(event.index)/\(event.event.type == .widgetsReported ? "widgets" : "widget")")
    }
}
