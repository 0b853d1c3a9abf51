internal import CensusCore
internal import Postgres

extension Phase {
    /// A row of ``table``.
    init(_ row: Row) throws {
        try self.init(
            from: row["from_at"], to: row["to_at"],
            traits: Traits(
                platform: row["platform"], osRelease: row["os_version"], appVersion: row["app_version"],
                galleryPolicy: row["gallery_policy"], isReporting: row["is_reporting"], isCloned: row["is_cloned"]))
    }

    static let table = OwnedTable<Phase>(
        "phase", key: [RowColumn("from_at") { $0.value.from }],
        [
            RowColumn("to_at") { $0.value.to },
            RowColumn("platform") { $0.value.traits.platform },
            RowColumn("os_version") { $0.value.traits.osRelease },
            RowColumn("app_version") { $0.value.traits.appVersion },
            RowColumn("gallery_policy") { $0.value.traits.galleryPolicy },
            RowColumn("is_reporting") { $0.value.traits.isReporting },
            RowColumn("is_cloned") { $0.value.traits.isCloned },
        ], from: ("timestamptz", "to_at is null or to_at >= wanted.start"), by: "from_at")
}
