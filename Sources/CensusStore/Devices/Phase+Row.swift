internal import CensusCore
internal import Postgres

extension Phase {
    /// A row of `DeviceStore.phases`.
    init(_ row: Row) throws {
        guard let platform = Platform(rawValue: try row.decode("platform", as: String.self)) else {
            throw StoreError(.ours, "a phase has a platform that this program does not know")
        }
        self.init(
            from: try row.decode("from_at", as: Timestamp.self),
            to: try row.decode("to_at", as: Timestamp?.self),
            traits: Traits(
                platform: platform,
                osRelease: try row.decode("os_version", as: String?.self),
                appVersion: try row.decode("app_version", as: String.self),
                galleryPolicy: try row.decode("gallery_policy", as: Int64?.self),
                isReporting: try row.decode("is_reporting", as: Bool.self),
                isCloned: try row.decode("is_cloned", as: Bool.self)))
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
