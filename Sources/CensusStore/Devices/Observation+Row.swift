internal import CensusCore
internal import Postgres

extension Observation {
    /// A row of `DeviceStore.observations`, from column 1.
    ///
    /// - Throws: ``StoredContentError`` or ``UnknownObservation`` when a program that knows more wrote it.
    init(_ row: Row) throws {
        let platform: String = try row.decode(String.self, at: 7)
        let surface: String = try row.decode(String.self, at: 6)
        let type: String = try row.decode(String.self, at: 5)
        guard let platform = Platform(rawValue: platform), let surface = Surface(rawValue: surface),
            let type = EventType(rawValue: type)
        else { throw UnknownObservation() }
        self.init(
            id: try row.decode(String.self, at: 1),
            occurredAt: try row.decode(Timestamp.self, at: 2),
            at: try row.decode(Timestamp.self, at: 3),
            installation: try row.decode(Pseudonym.self, at: 4),
            surface: surface,
            circumstances: Circumstances(
                platform: platform,
                osVersion: try row.decode(String?.self, at: 8),
                osBuild: try row.decode(String?.self, at: 14),
                appVersion: try row.decode(String.self, at: 9),
                channel: try row.decode(String.self, at: 10),
                bootedAt: try row.decode(Timestamp?.self, at: 11),
                firstLaunchedAt: try row.decode(Timestamp?.self, at: 12),
                galleryPolicy: try row.decode(Int64?.self, at: 15)),
            event: try Event(type, content: Array(try row.decode(String.self, at: 13).utf8)))
    }
}

/// An observation has a type, surface or platform that this program does not know.
struct UnknownObservation: Error {}
