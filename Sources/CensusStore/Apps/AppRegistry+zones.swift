internal import CensusCore
internal import Postgres

/// An app whose zone this program and PostgreSQL might interpret differently.
package struct DoubtfulZone: Hashable, Sendable {
    package var appID: String
    package var zone: String
}

extension AppRegistry {
    /// The apps whose days might begin and end at other times here than in PostgreSQL.
    ///
    /// Their zones were set before names were checked, or one of the two time zone databases is out of date.
    package func doubtfulZones() async throws(StoreError) -> [DoubtfulZone] {
        let apps = try await all()
        let alike = try await readAlike(Set(apps.map(\.zone)))
        return apps.filter { !alike.contains($0.zone) }.map { DoubtfulZone(appID: $0.id, zone: $0.zone) }
    }

    /// Makes sure that PostgreSQL interprets a zone as we do: some of a day's numbers are counted here, others there.
    func requireOneReading(of zone: String) async throws(StoreError) {
        guard try await readAlike([zone]).isEmpty else { return }
        throw StoreError(
            .request,
            "PostgreSQL does not know the time zone \(zone), or interprets it differently than this machine; update the time zone "
                + "data of both (Debian: the package tzdata)")
    }

    /// The zones that are acceptable and have the same offset here and in PostgreSQL on every day.
    func readAlike(_ names: Set<String>) async throws(StoreError) -> Set<String> {
        var alike: Set<String> = []
        for name in names {
            guard let zone = ReportingZone(acceptable: name) else { continue }
            if zone != .utc {
                guard zone.reads(alike: try await offsets(of: name)) else { continue }
            }
            alike.insert(name)
        }
        return alike
    }

    /// PostgreSQL's interpretation of a zone, by time: the offset on the first day, and on each day on which it changes.
    ///
    /// - Returns: nothing when PostgreSQL does not know the zone.
    private func offsets(of zone: String) async throws(StoreError) -> [ZoneOffset] {
        try await StoreError.wrapping {
            do {
                return try await database.query(SQL.AppRegistry.zoneOffsets, [zone]).decoded()
            } catch let error as PostgresError where error.sqlState == .invalidParameterValue {
                return []
            }
        }
    }
}

/// A zone's offset from UTC in seconds, and the time from which on it holds.
private struct ZoneOffset: Decodable {
    var at: Timestamp
    var zoneOffset: Int
}

extension ReportingZone {
    /// - Parameter changes: PostgreSQL's offsets, by time: on the first day, and on each day on which they change.
    fileprivate func reads(alike changes: [ZoneOffset]) -> Bool {
        guard let first = changes.first, let last = Timestamp(rfc3339: "2040-12-31T12:00:00Z") else { return false }
        var (noon, next) = (first.at, 0)
        var expected = first.zoneOffset
        while noon <= last {
            while next < changes.count, changes[next].at <= noon {
                expected = changes[next].zoneOffset
                next += 1
            }
            guard secondsFromUTC(at: noon) == expected else { return false }
            noon = noon + .days(1)
        }
        return true
    }
}
