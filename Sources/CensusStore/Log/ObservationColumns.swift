internal import CensusCore
internal import Postgres

/// Observations by column, as `ObservationLog.append` takes them.
struct ObservationColumns {
    /// In the order of `ObservationLog.append`.
    let parameters: [(any PostgresCodable)?]

    /// The columns of `ObservationLog.copy`, in its order.
    static let types: [any PostgresCodable.Type] = [
        Pseudonym.self, String.self, Timestamp.self, Timestamp.self, Timestamp.self, Int32.self, Pseudonym.self,
        String.self, String.self, String.self, String.self, String.self, String.self, String.self, String.self,
        Timestamp.self, Timestamp.self, Int64.self, StoredJSON.self, Bool.self,
    ]

    init(_ rows: [CopyRows]) {
        var parameters: [(any PostgresCodable)?] = []
        for (type, elements) in zip(Self.types, CopyRows.columns(of: rows, count: Self.types.count)) {
            parameters.append(Self.column(of: type, elements))
        }
        self.parameters = parameters
    }

    private static func column<Element: PostgresCodable>(
        of type: Element.Type, _ elements: [UInt8]
    ) -> any PostgresCodable {
        Column<Element>(elements: elements)
    }

    /// In the order of `ObservationLog.conflicts`: device, id, time as sent, type, surface, content.
    var identities: [(any PostgresCodable)?] { [0, 1, 2, 7, 8, 18].map { parameters[$0] } }
}
