internal import CensusCore
internal import Postgres

/// The columns of `DeviceStore.observations`, in their order and spelling.
///
/// Millions of these rows are read, and looking up all names in each row takes a tenth of reconciling. So the names are
/// compared once per page, and rows are decoded by position.
enum ObservationColumn: Int, CaseIterable {
    case deviceId, eventId, occurredAt, correctedAt, installationId, type, surface, platform, osVersion, appVersion,
        channel
    case bootedAt, firstLaunchedAt, said, osBuild, galleryPolicy, rebooted, bytesThrough

    private var name: String {
        "\(self)".reduce(into: "") { name, letter in
            name += letter.isUppercase ? "_" + letter.lowercased() : "\(letter)"
        }
    }

    private static let names = allCases.map(\.name)

    /// - Throws: ``StoreError`` when the rows have other columns.
    static func check(_ rows: Rows) throws(StoreError) {
        guard rows.columns == names else {
            throw StoreError(.ours, "\(rows.statement) has columns that this program does not expect")
        }
    }
}

extension Row {
    /// A column of rows that passed ``ObservationColumn/check(_:)``.
    func decode<T: PostgresCodable>(_ column: ObservationColumn, as type: T.Type) throws(PostgresError) -> T {
        try decode(type, at: column.rawValue)
    }

    /// - Returns: nil when the column is NULL.
    func decode<T: PostgresCodable>(_ column: ObservationColumn, as type: T?.Type) throws(PostgresError) -> T? {
        try decode(type, at: column.rawValue)
    }
}

/// Reads rows of ``ObservationColumn``s. Decodes equal contents in a row only once, because most devices report the same as the
/// day before.
struct ObservationReader {
    private var last: (type: EventType, content: [UInt8], event: Event)?

    /// - Throws: ``StoredContentError`` or ``UnknownObservation`` when a newer program wrote it.
    mutating func read(_ row: Row) throws -> Observation {
        let platform: String = try row.decode(.platform, as: String.self)
        let surface: String = try row.decode(.surface, as: String.self)
        let type: String = try row.decode(.type, as: String.self)
        guard let platform = Platform(rawValue: platform), let surface = Surface(rawValue: surface),
            let type = EventType(rawValue: type)
        else { throw UnknownObservation() }
        let event = try event(type, content: Array(try row.decode(.said, as: String.self).utf8))
        return Observation(
            id: try row.decode(.eventId, as: String.self),
            occurredAt: try row.decode(.occurredAt, as: Timestamp.self),
            at: try row.decode(.correctedAt, as: Timestamp.self),
            installation: try row.decode(.installationId, as: Pseudonym.self),
            surface: surface,
            circumstances: Observation.Circumstances(
                platform: platform,
                osVersion: try row.decode(.osVersion, as: String?.self),
                osBuild: try row.decode(.osBuild, as: String?.self),
                appVersion: try row.decode(.appVersion, as: String.self),
                channel: try row.decode(.channel, as: String.self),
                bootedAt: try row.decode(.bootedAt, as: Timestamp?.self),
                rebooted: try row.decode(.rebooted, as: Bool?.self),
                firstLaunchedAt: try row.decode(.firstLaunchedAt, as: Timestamp?.self),
                galleryPolicy: try row.decode(.galleryPolicy, as: Int64?.self)),
            event: event)
    }

    private mutating func event(_ type: EventType, content: [UInt8]) throws(StoredContentError) -> Event {
        if let last, last.type == type, last.content == content { return last.event }
        let event = try Event(type, content: content)
        last = (type, content, event)
        return event
    }
}

/// An observation has a type, surface or platform that this program does not know.
struct UnknownObservation: Error {}
