internal import CensusCore
internal import Postgres

extension Phase {
    /// A row of `DeviceStore.phases`, from column 1.
    init(_ row: Row) throws {
        guard let platform = Platform(rawValue: try row.decode(String.self, at: 3)) else {
            throw StoreError(.ours, "a phase has a platform that this program does not know")
        }
        self.init(
            from: try row.decode(Timestamp.self, at: 1),
            to: try row.decode(Timestamp?.self, at: 2),
            traits: Traits(
                platform: platform,
                osRelease: try row.decode(String?.self, at: 4),
                appVersion: try row.decode(String.self, at: 5),
                galleryPolicy: try row.decode(Int64?.self, at: 6),
                isReporting: try row.decode(Bool.self, at: 7),
                isCloned: try row.decode(Bool.self, at: 8)))
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
