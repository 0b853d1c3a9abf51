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
        let names = SQL.ObservationLog.copy.columns
        parameters = CopyRows.arrays(of: rows, names.map { Self.types[$0, default: String.self] })
    }

    /// As `ObservationLog.conflicts` takes them.
    var identities: [(any PostgresCodable)?] {
        let compared: Set = ["device_id", "event_id", "occurred_at", "type", "surface", "content"]
        return zip(SQL.ObservationLog.copy.columns, parameters).filter { compared.contains($0.0) }.map(\.1)
    }
}

extension CopyRows {
    /// The values of rows by column, as array parameters.
    ///
    /// - Parameter types: the types of the columns.
    static func arrays(of rows: [CopyRows], _ types: [any PostgresCodable.Type]) -> [(any PostgresCodable)?] {
        zip(types, columns(of: rows, count: types.count)).map { $0.column(of: $1) }
    }
}

extension PostgresCodable {
    /// - Parameter elements: as ``Column/init(elements:)`` takes them.
    fileprivate static func column(of elements: [UInt8]) -> any PostgresCodable { Column<Self>(elements: elements) }
}
