internal import CensusCore
internal import Postgres

extension CopyRows {
    /// The accepted events of a batch, as `ObservationLog.copy` takes them.
    init(
        observationsOf batch: Batch, appNumber: Int32, device: Pseudonym, installation: Pseudonym, received: Timestamp
    ) {
        // Reserve all bytes at once: an array that doubles as it grows can take twice as much.
        let contents = batch.events.reduce(0) { sum, event in sum + ((try? event.get().event.content.count) ?? 0) }
        self.init(for: SQL.ObservationLog.copy, reservingBytes: 400 * batch.events.count + contents)
        let sender = Values { row in
            row.value(received)
            row.value(appNumber)
            row.value(installation)
        }
        let circumstances = Values { row in
            let shared = batch.circumstances
            row.value(shared.platform.rawValue)
            row.value(shared.osVersion)
            row.value(shared.osBuild)
            row.value(shared.appVersion)
            row.value(shared.channel)
            row.value(shared.bootedAt)
            row.value(shared.firstLaunchedAt)
            row.value(shared.galleryPolicy)
        }
        for case .success(let event) in batch.events {
            append { row in
                row.value(device)
                row.value(event.id)
                row.value(event.occurredAt)
                row.value(event.at)
                row.values(sender)
                row.value(event.event.type.rawValue)
                row.value(event.surface.rawValue)
                row.value(event.source)
                row.values(circumstances)
                row.value(StoredJSON(event.event.content))
                row.value(batch.circumstances.rebooted)
            }
        }
    }
}
