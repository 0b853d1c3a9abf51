package import CensusCore
internal import Crypto
internal import Postgres

/// One batch, ready to be stored: encoded on receipt, so that the committer only passes it on.
///
/// A class, because several owners pass it on.
package final class BatchRows: Sendable {
    package let device: Pseudonym
    /// Stored next to the number, because another app can get that number after a backup was restored.
    package let appID: String
    package let appNumber: Int32
    /// Names not written yet because the store was away; they are written before the batch is appended.
    package let names: KnownNames
    let observations: CopyRows
    /// Nil if there are no observations.
    let arrival: Arrival?
    let refused: CopyRows
    /// The first warning of each code.
    let warned: CopyRows

    /// How many bytes of a refused event are kept.
    static let keptBytes = 64 << 10

    /// - Parameters:
    ///   - batch: with the caps on kinds applied. Its raw ids are not passed on.
    ///   - names: those not written yet.
    ///   - received: the server's clock when the body arrived.
    package init(
        _ batch: Batch, names: KnownNames = KnownNames(), appNumber: Int32, secret: Secret, received: Timestamp
    ) {
        let device = secret.device(batch.deviceID, app: batch.appID)
        self.device = device
        self.appID = batch.appID
        self.appNumber = appNumber
        self.names = names
        observations = CopyRows(
            observationsOf: batch, appNumber: appNumber, device: device,
            installation: secret.installation(batch.installationID, app: batch.appID), received: received)
        arrival = Arrival(batch)
        var refused = BatchRows.noRefused
        for case .failure(let event) in batch.events {
            refused.append { row in
                row.value(device)
                row.value(ReportingZone.utc.day(of: received))
                row.value(ByteArray(SHA256.hash(data: event.source)))
                row.value(appNumber)
                row.value(received)
                row.value(event.refusal.code)
                row.value(event.refusal.message)
                row.value(event.id)
                row.value(ByteArray(event.source.prefix(BatchRows.keptBytes)))
            }
        }
        self.refused = refused
        // Order by the batch's contents, not by arrival, which differs between a delivery, a redelivery and an import. A batch
        // of refused events has the least content.
        let newest = batch.events.lazy.compactMap { try? $0.get().occurredAt }.max() ?? Timestamp(seconds: 0)
        var warned = BatchRows.noWarned
        var codes: Set<BatchWarning.Code> = []
        for warning in batch.warnings where codes.insert(warning.code).inserted {
            warned.append { row in
                row.value(device)
                row.value(ReportingZone.utc.day(of: received))
                row.value(warning.code.rawValue)
                row.value(appNumber)
                row.value(newest)
                row.value(received)
                row.value(batch.circumstances.appVersion)
                row.value(warning.pointer)
                row.value(warning.message)
            }
        }
        self.warned = warned
    }

    init(
        device: Pseudonym, appID: String, appNumber: Int32, names: KnownNames, observations: CopyRows,
        arrival: Arrival?, refused: CopyRows, warned: CopyRows
    ) {
        self.device = device
        self.appID = appID
        self.appNumber = appNumber
        self.names = names
        self.observations = observations
        self.arrival = arrival
        self.refused = refused
        self.warned = warned
    }

    static var noRefused: CopyRows { CopyRows(columns: refusedColumns.count) }
    static var noWarned: CopyRows { CopyRows(columns: warnedColumns.count) }

    /// The types of the columns of ``refused``, as `ObservationLog.append` takes them.
    static let refusedColumns: [any PostgresCodable.Type] = [
        Pseudonym.self, Day.self, ByteArray.self, Int32.self, Timestamp.self, String.self, String.self, String.self,
        ByteArray.self,
    ]
    /// The types of the columns of ``warned``, as `ObservationLog.append` takes them.
    static let warnedColumns: [any PostgresCodable.Type] = [
        Pseudonym.self, Day.self, String.self, Int32.self, Timestamp.self, Timestamp.self, String.self, String.self,
        String.self,
    ]

    package var refusedCount: Int { refused.count }
    package var count: Int { observations.count + refused.count }
    package var byteCount: Int { observations.byteCount + refused.byteCount + warned.byteCount }
}
