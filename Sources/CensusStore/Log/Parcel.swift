package import CensusCore
internal import Crypto
internal import Postgres

/// One batch made ready for COPY: encoded where it was received, so that the one who commits only has to pass it on.
package struct Parcel: Sendable {
    private(set) var observations = CopyRows(columns: 19)
    private(set) var refused = CopyRows(columns: 9)

    /// How much of a refused event is kept.
    static let keptBytes = 64 << 10

    /// - Parameters:
    ///   - batch: after the caps on kinds were applied. Its raw ids end here.
    ///   - received: the server's clock when the body arrived.
    package init(_ batch: Batch, appNumber: Int32, secret: Secret, received: Timestamp) {
        let device = secret.device(batch.deviceID, app: batch.appID)
        let installation = secret.installation(batch.installationID, app: batch.appID)
        let circumstances = batch.circumstances
        for case .success(let event) in batch.events {
            observations.append { row in
                row.value(device)
                row.value(event.id)
                row.value(event.occurredAt)
                row.value(event.at)
                row.value(received)
                row.value(appNumber)
                row.value(installation)
                row.value(event.event.type.rawValue)
                row.value(event.surface.rawValue)
                row.value(event.source)
                row.value(circumstances.platform.rawValue)
                row.value(circumstances.osVersion)
                row.value(batch.osBuild)
                row.value(circumstances.appVersion)
                row.value(circumstances.channel)
                row.value(circumstances.bootedAt)
                row.value(circumstances.firstLaunchedAt)
                row.value(batch.galleryPolicy)
                row.value(StoredJSON(event.event.content))
            }
        }
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
                row.value(ByteArray(event.source.prefix(Parcel.keptBytes)))
            }
        }
    }

    package var refusedCount: Int { refused.count }
    package var count: Int { observations.count + refused.count }
    package var byteCount: Int { observations.byteCount + refused.byteCount }
}
