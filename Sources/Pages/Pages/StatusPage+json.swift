internal import CensusCore
internal import CensusStore

extension StatusPage: Encodable {
    /// Absent members are unknown or don't apply.
    package func encode(to encoder: any Encoder) throws {
        let members: Members = [
            "attention": concerns, "version": version, "schema": schema, "database": databaseMembers,
            "night": status.night, "devices_pending": status.devicesPending,
            "pending_seconds": status.longestWait / .seconds(1), "lag_seconds": status.lag.map { $0 / .seconds(1) },
            "spool": spool, "apps": status.apps,
        ]
        try members.encode(to: encoder)
    }

    private var databaseMembers: Members {
        var (form, folder) = (status.distribution == nil ? "server" : "distributed", String?.none)
        if case .folder(let name) = place { (form, folder) = ("private", name) }
        return [
            "form": form, "folder": folder, "workers": status.distribution?.workers,
            "shards": status.distribution?.shards, "postgres_version": status.postgresVersion,
            "is_standby": status.isStandby,
        ]
    }
}
