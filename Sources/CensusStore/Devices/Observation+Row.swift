internal import CensusCore
internal import Postgres

/// The columns of `DeviceStore.observations`, in their order and spelling; the last one only with `DeviceStore.weighed`.
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

    /// The positions of the columns that an event is decoded from.
    static let ofEvent = positions([.type, .said])
    /// The positions of the columns of everything else that an observation says.
    static let ofCircumstances = positions([
        .installationId, .surface, .platform, .osVersion, .appVersion, .channel, .bootedAt, .firstLaunchedAt, .osBuild,
        .galleryPolicy, .rebooted,
    ])

    private static func positions(_ columns: [ObservationColumn]) -> [Int] { columns.map(\.rawValue) }

    /// - Throws: ``StoreError`` when the rows have other columns.
    static func check(_ rows: Rows) throws(StoreError) {
        guard rows.columns == names || rows.columns == names.dropLast() else {
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

/// Reads rows of ``ObservationColumn``s. Decodes only what differs from the row before, because most devices report what they and
/// others reported before.
struct ObservationReader {
    private var last: (row: Row, observation: Observation)?

    /// - Throws: ``StoredContentError`` or ``UnknownObservation`` when a newer program wrote it.
    mutating func read(_ row: Row) throws -> Observation {
        var observation = try said(row)
        observation.id = try row.decode(.eventId, as: String.self)
        observation.occurredAt = try row.decode(.occurredAt, as: Timestamp.self)
        observation.at = try row.decode(.correctedAt, as: Timestamp.self)
        last = (row, observation)
        return observation
    }

    /// The observation, of any event and time that says this.
    private func said(_ row: Row) throws -> Observation {
        guard let last, row.hasBytes(of: last.row, at: ObservationColumn.ofEvent) else {
            return try observation(row, event(row))
        }
        guard row.hasBytes(of: last.row, at: ObservationColumn.ofCircumstances) else {
            return try observation(row, last.observation.event)
        }
        return last.observation
    }

    private func event(_ row: Row) throws -> Event {
        guard let type = EventType(rawValue: try row.decode(.type, as: String.self)) else { throw UnknownObservation() }
        return try Event(type, content: Array(try row.decode(.said, as: String.self).utf8))
    }

    private func observation(_ row: Row, _ event: Event) throws -> Observation {
        guard let platform = Platform(rawValue: try row.decode(.platform, as: String.self)),
            let surface = Surface(rawValue: try row.decode(.surface, as: String.self))
        else { throw UnknownObservation() }
        return Observation(
            id: "", occurredAt: .distantPast, at: .distantPast,
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
}

/// An observation has a type, surface or platform that this program does not know.
struct UnknownObservation: Error {}
