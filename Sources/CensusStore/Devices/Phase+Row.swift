internal import CensusCore
internal import Postgres

extension Phase {
    /// A row of `DeviceStore.phases`.
    init(_ row: Row) throws {
        try self.init(
            from: row["from_at"], to: row["to_at"],
            traits: Traits(
                platform: row["platform"], osRelease: row["os_version"], appVersion: row["app_version"],
                galleryPolicy: row["gallery_policy"], isReporting: row["is_reporting"], isCloned: row["is_cloned"]))
    }

    /// A row of `DeviceStore.insertPhases`.
    func encode(into row: inout CopyRows.Row, device: Pseudonym, appNumber: Int32) {
        row.value(device)
        row.value(from)
        row.value(appNumber)
        row.value(to)
        row.value(traits.platform.rawValue)
        row.value(traits.osRelease)
        row.value(traits.appVersion)
        row.value(traits.galleryPolicy)
        row.value(traits.isReporting)
        row.value(traits.isCloned)
    }
}
