internal import CensusCore
internal import CensusStore

/// What `status` says, for programs; absent members are unknown, or there is nothing to say.
struct StatusRecord: Encodable {
    struct Attention: Encodable {
        var subject: String
        var app_id: String?
        var sentence: String
        var command: String
    }

    struct Database: Encodable {
        /// private, server or distributed.
        var form: String
        var folder: String?
        /// For a Citus cluster.
        var workers: Int?
        var shards: Int?
        var postgres_version: String
        var is_standby: Bool
    }

    struct Night: Encodable {
        var started_at: String
        var finished_at: String?
        var failure: String?
        var devices: Int?
        var days_closed: Int?
        var days_restated: Int?
        var apps_failed: Int?
        var seconds: Double
    }

    struct Spool: Encodable {
        var folder: String
        var bytes: Int
        var limit: Int
        var files_put_aside: Int
    }

    struct App: Encodable {
        var app_id: String
        var zone: String
        var last_event_at: String?
        var last_closed: String?
        var last_ended: String
        var failure: String?
        var devices_active: Int?
        var reads_today: Int
        var reads_failed_today: Int
        var events_refused: Int
        var open_losses: [String]
        var devices_set_aside: Int
        var webhooks_failing: Int
        var messages_given_up: Int
    }

    var attention: [Attention]
    var version: String
    var schema: Int
    var database: Database
    var night: Night?
    var devices_pending: Int
    var lag_seconds: Double?
    var spool: Spool?
    var apps: [App]

    init(_ page: StatusPage) {
        let status = page.status
        attention = page.concerns.map {
            Attention(
                subject: $0.subject.rawValue, app_id: $0.appID, sentence: $0.sentence, command: $0.command.description)
        }
        version = WidgetCensus.version
        schema = Migrator.currentVersion
        database = Database(
            form: status.distribution == nil ? "server" : "distributed", workers: status.distribution?.workers,
            shards: status.distribution?.shards, postgres_version: status.postgresVersion, is_standby: status.isStandby)
        if case .ownFolder(let folder) = page.place { (database.form, database.folder) = ("private", folder) }
        night = status.night.map { night in
            Night(
                started_at: "\(night.startedAt)", finished_at: night.finishedAt?.description, failure: night.failure,
                devices: night.devices, days_closed: night.daysClosed, days_restated: night.daysRestated,
                apps_failed: night.appsFailed, seconds: night.seconds)
        }
        devices_pending = status.devicesPending
        lag_seconds = status.lag.map { $0 / .seconds(1) }
        spool = page.spool.map {
            Spool(folder: $0.folder, bytes: $0.bytes, limit: $0.limit, files_put_aside: $0.putAside)
        }
        apps = status.apps.map { app in
            App(
                app_id: app.id, zone: app.zone, last_event_at: app.lastEventAt?.description,
                last_closed: app.lastClosed?.description, last_ended: "\(app.lastEnded)", failure: app.failure,
                devices_active: app.devicesActive, reads_today: app.reads, reads_failed_today: app.readsFailed,
                events_refused: app.eventsRefused, open_losses: app.openLosses,
                devices_set_aside: app.devicesSetAside, webhooks_failing: app.webhooksFailing,
                messages_given_up: app.messagesGivenUp)
        }
    }
}
