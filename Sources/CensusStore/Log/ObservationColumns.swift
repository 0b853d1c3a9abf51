internal import CensusCore
internal import Postgres

/// Observations by column, as `ObservationLog.append` takes them.
struct ObservationColumns {
    /// In the order of `ObservationLog.append`.
    let parameters: [(any PostgresCodable)?]

    /// The types of those columns of `ObservationLog.copy` that are not texts.
    private static let types: [String: any PostgresCodable.Type] = [
        "device_id": Pseudonym.self, "occurred_at": Timestamp.self, "corrected_at": Timestamp.self,
        "received_at": Timestamp.self, "app_number": Int32.self, "installation_id": Pseudonym.self,
        "booted_at": Timestamp.self, "first_launched_at": Timestamp.self, "gallery_policy": Int64.self,
        "content": StoredJSON.self, "rebooted": Bool.self,
    ]

    init(_ rows: [CopyRows]) {
        let columns = SQL.ObservationLog.copy.columns
        parameters = zip(columns, CopyRows.columns(of: rows, count: columns.count)).map { column, elements in
            Self.column(of: Self.types[column, default: String.self], elements)
        }
    }

    private static func column<Element: PostgresCodable>(
        of type: Element.Type, _ elements: [UInt8]
    ) -> any PostgresCodable {
        Column<Element>(elements: elements)
    }

    /// As `ObservationLog.conflicts` takes them.
    var identities: [(any PostgresCodable)?] {
        let compared: Set = ["device_id", "event_id", "occurred_at", "type", "surface", "content"]
        return zip(SQL.ObservationLog.copy.columns, parameters).filter { compared.contains($0.0) }.map(\.1)
    }
}
