internal import CensusCore

extension KnownNames {
    /// Every name that the batch's accepted events use.
    init(of batch: Batch) {
        appVersions.insert(Text(batch.circumstances.appVersion))
        if let release = batch.circumstances.osRelease { osReleases.insert(Text(release)) }
        for case .success(let event) in batch.events {
            for model in event.event.models {
                kinds.insert(Text(model.kind))
                if let family = model.family, !family.hasBytes(of: Batch.other) { families.insert(Text(family)) }
            }
        }
    }

    func union(_ other: KnownNames) -> KnownNames {
        var names = self
        names.formUnion(other)
        return names
    }

    func intersection(_ other: KnownNames) -> KnownNames {
        var names = KnownNames()
        names.kinds = kinds.intersection(other.kinds)
        names.families = families.intersection(other.families)
        names.appVersions = appVersions.intersection(other.appVersions)
        names.osReleases = osReleases.intersection(other.osReleases)
        return names
    }

    mutating func subtract(_ other: KnownNames) {
        kinds.subtract(other.kinds)
        families.subtract(other.families)
        appVersions.subtract(other.appVersions)
        osReleases.subtract(other.osReleases)
    }
}
