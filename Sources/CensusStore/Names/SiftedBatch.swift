internal import CensusCore

/// A batch after an app's caps were applied to it.
struct SiftedBatch {
    /// Events whose names exceed a cap are refused.
    private(set) var batch: Batch
    /// Names that the other events use for the first time.
    private(set) var fresh = KnownNames()

    init(_ batch: Batch, names: KnownNames, caps: NameCaps) {
        self.batch = batch
        admitVersions(names, caps)
        for (position, event) in batch.events.enumerated() {
            guard case .success(let accepted) = event else { continue }
            var new = KnownNames()
            new.insert(accepted.event, unlessIn: names, or: fresh)
            let kinds = names.kinds.count + fresh.kinds.count
            let families = names.families.count + fresh.families.count
            // A lowered cap refuses new names, not old ones.
            if !new.kinds.isEmpty, kinds + new.kinds.count > caps.kinds {
                refuse(
                    accepted, at: position,
                    "the app has used \(caps.kinds) kinds, which is its limit: no new ones are taken")
            } else if !new.families.isEmpty, families + new.families.count > caps.families {
                refuse(
                    accepted, at: position,
                    "the app has used \(caps.families) families, which is its limit: no new ones are taken")
            } else {
                fresh.formUnion(new)
            }
        }
    }

    private mutating func admitVersions(_ names: KnownNames, _ caps: NameCaps) {
        let version = Text(batch.circumstances.appVersion)
        if !names.appVersions.contains(version) {
            if names.appVersions.count < caps.appVersions {
                fresh.appVersions.insert(version)
            } else {
                batch.circumstances.appVersion = NameCaps.other
            }
        }
        if let release = batch.circumstances.osRelease.map({ Text($0) }), !names.osReleases.contains(release) {
            if names.osReleases.count < caps.osReleases {
                fresh.osReleases.insert(release)
            } else {
                batch.circumstances.osVersion = NameCaps.other
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
    fileprivate mutating func insert(_ event: EncodedEvent, unlessIn names: KnownNames, or fresh: KnownNames) {
        for model in event.models {
            let kind = Text(model.kind)
            if !names.kinds.contains(kind), !fresh.kinds.contains(kind) { kinds.insert(kind) }
            guard let family = model.family.map({ Text($0) }) else { continue }
            if !names.families.contains(family), !fresh.families.contains(family) { families.insert(family) }
        }
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
        // The events of a phone mostly name the same: they are looked up once.
        var last: [Placement.Model] = []
        for case .success(let event) in batch.events where event.event.models != last {
            last = event.event.models
            for model in last {
                guard kinds.contains(Text(model.kind)) else { return false }
                if let family = model.family, !families.contains(Text(family)) { return false }
            }
        }
        return true
    }
}
