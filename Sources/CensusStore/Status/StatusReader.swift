internal import CensusCore
internal import Postgres

/// Reads ``StoreStatus``, and counts no observations: with a million refused events and 300,000 queued devices of 50 apps it takes
/// less than 100 ms.
package struct StatusReader: Sendable {
    let database: Database

    /// - Parameter app: people who may see only one app learn nothing about the others: not the server's settings, and about the last
    ///   night only when it ran. Nil: all apps.
    package func read(only app: App? = nil) async throws(StoreError) -> StoreStatus {
        let deployment = Deployment(database: database)
        let distribution = try await deployment.distribution()
        if distribution != nil { try await deployment.requireAnswers() }
        let unsafe = app == nil ? try await deployment.unsafeSettings() : []
        let stale = app == nil ? try await deployment.staleCollations() : []
        let blockers = app == nil ? try await blockers() : []
        let idle = try await app == nil && distribution == nil ? deployment.idleWorkers() : 0
        var night = try await database.rows(SQL.StatusReader.night, as: StoreStatus.Night.init).first
        if app != nil { night = night?.withoutApps }
        return try await StoreError.wrapping {
            let limit = StoreStatus.countLimit
            guard let whole = try await database.query(SQL.StatusReader.database, [limit, app?.number]).first else {
                throw StoreError(.ours, "PostgreSQL did not report its status")
            }
            let askedAt = try whole.decode("asked_at", as: Timestamp.self)
            var apps: [(number: Int32, app: StoreStatus.App)] = []
            for row in try await database.query(SQL.StatusReader.apps, [app?.number]) {
                apps.append((try row.decode("app_number", as: Int32.self), try StoreStatus.App(row)))
            }
            let refused = try await refusedEvents(of: apps.map(\.number), now: askedAt)
            var aside: [Int32: (devices: Int, reason: String)] = [:]
            for row in try await database.query(SQL.StatusReader.setAside) {
                aside[try row.decode("app_number", as: Int32.self)] = (
                    try row.decode("devices", as: Int.self), try row.decode("reason", as: String.self)
                )
            }
            var readOnly: StoreStatus.ReadOnly?
            if app == nil, try whole.decode("is_read_only", as: Bool.self) {
                readOnly = StoreStatus.ReadOnly(
                    source: try whole.decode("read_only_source", as: String.self),
                    role: try whole.decode("role", as: String.self),
                    database: try whole.decode("database", as: String.self))
            }
            return StoreStatus(
                askedAt: askedAt, postgresVersion: try whole.decode("version", as: String.self),
                isStandby: try whole.decode("is_standby", as: Bool.self), distribution: distribution,
                idleWorkers: idle, readOnly: readOnly, staleCollations: stale, blockers: blockers,
                unsafeSettings: unsafe,
                devicesPending: try whole.decode("pending", as: Int.self), night: night,
                apps: apps.map { number, app in
                    var app = app
                    app.eventsRefused = refused[number] ?? 0
                    app.devicesSetAside = aside[number]?.devices ?? 0
                    app.setAsideReason = aside[number]?.reason
                    return app
                })
        }
    }

    /// Our statements wait for one another only for moments.
    private static let shortestWait = "1 second"
    private static let longestPause = "10 minutes"

    private func blockers() async throws(StoreError) -> [StoreStatus.BlockingSession] {
        try await database.rows(
            SQL.StatusReader.blockers, [StatusReader.shortestWait, StatusReader.longestPause]
        ) { row in
            StoreStatus.BlockingSession(
                pid: Int(try row.decode("pid", as: Int32.self)), role: try row.decode("role", as: String.self),
                since: try row.decode("since", as: Timestamp?.self),
                waiting: try row.decode("waiting", as: Int.self))
        }
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

extension StoreStatus.Night {
    fileprivate init(_ row: Row) throws {
        self.init(
            startedAt: try row.decode("started_at", as: Timestamp.self),
            finishedAt: try row.decode("finished_at", as: Timestamp?.self),
            failure: try row.decode("failure", as: String?.self),
            devices: try row.decode("devices", as: Int?.self),
            daysClosed: try row.decode("days_closed", as: Int?.self),
            daysRestated: try row.decode("days_restated", as: Int?.self),
            appsFailed: try row.decode("apps_failed", as: Int?.self),
            seconds: try row.decode("seconds", as: Double.self))
    }
}

extension StoreStatus.App {
    /// What other tables say about it is added afterwards.
    fileprivate init(_ row: Row) throws {
        self.init(
            id: try row.decode("app_id", as: String.self), zone: try row.decode("zone", as: String.self),
            lastEnded: try row.decode("last_ended", as: Day.self),
            lastClosed: try row.decode("last_closed", as: Day?.self),
            isDoubted: try row.decode("is_doubted", as: Bool.self),
            lastEventAt: try row.decode("as_of", as: Timestamp?.self),
            firstSeenAt: try row.decode("first_seen_at", as: Timestamp?.self),
            failure: try row.decode("failure", as: String?.self),
            fault: try row.decode("fault", as: String?.self).flatMap(NightFault.init),
            devicesActive: try row.decode("devices_active", as: Int?.self),
            reads: try row.decode("reads", as: Int.self), readsFailed: try row.decode("reads_failed", as: Int.self),
            eventsRefused: 0, openLosses: try row.decode("open_losses", as: [String].self), devicesSetAside: 0,
            webhooksFailing: try row.decode("webhooks_failing", as: Int.self),
            messagesGivenUp: try row.decode("messages_given_up", as: Int.self),
            hasWriteKey: try row.decode("has_write_key", as: Bool.self))
    }
}
