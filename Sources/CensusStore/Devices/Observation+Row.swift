internal import CensusCore
internal import Postgres

extension Observation {
    /// A row of `DeviceStore.observations`, from column 1.
    ///
    /// - Throws: ``StoredContentError`` or ``UnknownObservation`` when a program that knows more wrote it.
    init(_ row: Row) throws {
        let platform: String = try row.decode("platform", as: String.self)
        let surface: String = try row.decode("surface", as: String.self)
        let type: String = try row.decode("type", as: String.self)
        guard let platform = Platform(rawValue: platform), let surface = Surface(rawValue: surface),
            let type = EventType(rawValue: type)
        else { throw UnknownObservation() }
        self.init(
            id: try row.decode("event_id", as: String.self),
            occurredAt: try row.decode("occurred_at", as: Timestamp.self),
            at: try row.decode("corrected_at", as: Timestamp.self),
            installation: try row.decode("installation_id", as: Pseudonym.self),
            surface: surface,
            circumstances: Circumstances(
                platform: platform,
                osVersion: try row.decode("os_version", as: String?.self),
                osBuild: try row.decode("os_build", as: String?.self),
                appVersion: try row.decode("app_version", as: String.self),
                channel: try row.decode("channel", as: String.self),
                bootedAt: try row.decode("booted_at", as: Timestamp?.self),
                firstLaunchedAt: try row.decode("first_launched_at", as: Timestamp?.self),
                galleryPolicy: try row.decode("gallery_policy", as: Int64?.self)),
            event: try Event(type, content: Array(try row.decode("said", as: String.self).utf8)))
    }
}

/// An observation has a type, surface or platform that this program does not know.
struct UnknownObservation: Error {}
