package import CensusCore

extension ReportReader {
    /// Makes a filter from days as people write them. Today is that of the app's time zone; for all apps, that of the zone that
    /// they share, or of UTC if they have several.
    ///
    /// - Parameters:
    ///   - app: one app's id, or nil for all.
    ///   - now: decides which day is today.
    /// - Throws: ``StoreError`` with fault `request` if a relative day is given and the app does not exist.
    package func filter(
        app: String?, since: NamedDay?, until: NamedDay?, kind: String?, at now: Timestamp = .now
    ) async throws(StoreError) -> ReportFilter {
        var zone = ReportingZone.utc
        if [since, until].contains(where: { $0?.isRelative == true }) {
            let apps = AppRegistry(database: database)
            let zones: Set<ReportingZone> =
                if let app { [try await apps.app(app).window.zone] } else {
                    Set(try await apps.all().map(\.window.zone))
                }
            if zones.count == 1, let only = zones.first { zone = only }
        }
        let today = zone.day(of: now)
        return ReportFilter(app: app, since: since?.day(today: today), until: until?.day(today: today), kind: kind)
    }
}
