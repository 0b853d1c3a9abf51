internal import CensusCore
internal import Postgres

/// Reads ``StoreStatus`` without counting observations. With a million refused events and 300,000 queued devices of 50 apps it
/// takes less than 100 ms.
package struct StatusReader: Sendable {
    let database: Database

    /// - Parameter app: limits the answer for people who may see only one app: nothing about other apps or the server's
    ///   settings, and about the last night only when it ran. Nil: all apps.
    package func read(only app: App? = nil) async throws(StoreError) -> StoreStatus {
        let deployment = Deployment(database: database)
        let distribution = try await deployment.distribution()
        if distribution != nil { try await deployment.requireAnswers() }
        let unsafe = app == nil ? try await deployment.unsafeSettings() : []
        let stale = app == nil ? try await deployment.staleCollations() : []
        let blockers = app == nil ? try await blockers() : []
        let idle = try await app == nil && distribution == nil ? deployment.idleWorkers() : 0
        var night = try await database.rows(SQL.StatusReader.night, as: StoreStatus.Night.self).first
        if app != nil { night = night?.withoutApps }
        return try await StoreError.wrapping {
            let limit = StoreStatus.countLimit
            let server = try await database.rows(SQL.StatusReader.database, [limit, app?.number], as: ServerState.self)
            guard let server = server.first else {
                throw StoreError(.ours, "PostgreSQL did not report its status")
            }
            var apps: [(number: Int32, app: StoreStatus.App)] = []
            for row in try await database.query(SQL.StatusReader.apps, [app?.number]) {
                apps.append((try row["app_number"] as Int32, try StoreStatus.App(row)))
            }
            let refused = try await refusedEvents(of: apps.map(\.number), now: server.askedAt)
            let aside = try await database.rows(SQL.StatusReader.setAside, as: SetAsideDevices.self)
            let asideByApp = Dictionary(uniqueKeysWithValues: aside.map { ($0.appNumber, $0) })
            return StoreStatus(
                askedAt: server.askedAt, postgresVersion: server.version, isStandby: server.isStandby,
                distribution: distribution, idleWorkers: idle, readOnly: app == nil ? server.readOnly : nil,
                staleCollations: stale, blockers: blockers, unsafeSettings: unsafe, devicesPending: server.pending,
                pendingSince: server.pendingSince, night: night,
                apps: apps.map { number, app in
                    var app = app
                    app.eventsRefused = refused[number] ?? 0
                    app.devicesSetAside = asideByApp[number]?.devices ?? 0
                    app.setAsideReason = asideByApp[number]?.reason
                    return app
                })
        }
    }

    /// Our own statements wait for each other only briefly.
    private static let shortestWait = "1 second"
    private static let longestPause = "10 minutes"

    private func blockers() async throws(StoreError) -> [StoreStatus.BlockingSession] {
        try await database.rows(SQL.StatusReader.blockers, [StatusReader.shortestWait, StatusReader.longestPause])
    }

    /// Counts today and yesterday, in UTC, up to ``StoreStatus/countLimit`` for each app.
    private func refusedEvents(of apps: [Int32], now: Timestamp) async throws -> [Int32: Int] {
        let today = ReportingZone.utc.day(of: now)
        var events: [Int32: Int] = [:]
        let days = [today + -1, today]
        for app in apps {
            events[app] = try await database.value(
                SQL.StatusReader.refused, [app, days, StoreStatus.countLimit], as: Int.self)
        }
        return events
    }
}

/// The row of `StatusReader.database`.
private struct ServerState: Decodable {
    var askedAt: Timestamp
    var version: String
    var isStandby: Bool
    var readOnly: StoreStatus.ReadOnly?
    var pending: Int
    var pendingSince: Timestamp?
}

private struct SetAsideDevices: Decodable {
    var appNumber: Int32
    var devices: Int
    var reason: String
}

extension StoreStatus.App {
    /// Fields from other tables are added afterwards.
    fileprivate init(_ row: Row) throws {
        try self.init(
            id: row["app_id"], zone: row["zone"], lastEnded: row["last_ended"], lastClosed: row["last_closed"],
            isDoubted: row["is_doubted"], lastEventAt: row["as_of"], firstSeenAt: row["first_seen_at"],
            failure: row["failure"], fault: (row["fault"] as String?).flatMap(NightFault.init),
            devicesActive: row["devices_active"], reads: row["reads"], readsFailed: row["reads_failed"],
            eventsRefused: 0, openLosses: row["open_losses"], devicesSetAside: 0,
            webhooksFailing: row["webhooks_failing"], messagesGivenUp: row["messages_given_up"],
            hasWriteKey: row["has_write_key"])
    }
}
