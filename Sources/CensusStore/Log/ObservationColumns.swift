internal import CensusCore
internal import Postgres

/// Observations by column, as `ObservationLog.append` takes them.
struct ObservationColumns: Sendable {
    var device = Column<Pseudonym>()
    var eventID = Column<String>()
    var occurredAt = Column<Timestamp>()
    var correctedAt = Column<Timestamp>()
    var receivedAt = Column<Timestamp>()
    var appNumber = Column<Int32>()
    var installation = Column<Pseudonym>()
    var type = Column<String>()
    var surface = Column<String>()
    var source = Column<String>()
    var platform = Column<String>()
    var osVersion = Column<String>()
    var osBuild = Column<String>()
    var appVersion = Column<String>()
    var channel = Column<String>()
    var bootedAt = Column<Timestamp>()
    var firstLaunchedAt = Column<Timestamp>()
    var galleryPolicy = Column<Int64>()
    var content = Column<StoredJSON>()

    init() {}

    /// The accepted events of a batch.
    init(_ batch: Batch, appNumber: Int32, device: Pseudonym, installation: Pseudonym, received: Timestamp) {
        let circumstances = batch.circumstances
        for case .success(let event) in batch.events {
            self.device.append(device)
            eventID.append(event.id)
            occurredAt.append(event.occurredAt)
            correctedAt.append(event.at)
            receivedAt.append(received)
            self.appNumber.append(appNumber)
            self.installation.append(installation)
            type.append(event.event.type.rawValue)
            surface.append(event.surface.rawValue)
            source.append(event.source)
            platform.append(circumstances.platform.rawValue)
            osVersion.append(circumstances.osVersion)
            osBuild.append(circumstances.osBuild)
            appVersion.append(circumstances.appVersion)
            channel.append(circumstances.channel)
            bootedAt.append(circumstances.bootedAt)
            firstLaunchedAt.append(circumstances.firstLaunchedAt)
            galleryPolicy.append(circumstances.galleryPolicy)
            content.append(StoredJSON(event.event.content))
        }
    }

    var count: Int { Int(device.count) }

    var byteCount: Int { 200 * count + eventID.byteCount + content.byteCount }

    mutating func append(_ other: ObservationColumns) {
        device.append(other.device)
        eventID.append(other.eventID)
        occurredAt.append(other.occurredAt)
        correctedAt.append(other.correctedAt)
        receivedAt.append(other.receivedAt)
        appNumber.append(other.appNumber)
        installation.append(other.installation)
        type.append(other.type)
        surface.append(other.surface)
        source.append(other.source)
        platform.append(other.platform)
        osVersion.append(other.osVersion)
        osBuild.append(other.osBuild)
        appVersion.append(other.appVersion)
        channel.append(other.channel)
        bootedAt.append(other.bootedAt)
        firstLaunchedAt.append(other.firstLaunchedAt)
        galleryPolicy.append(other.galleryPolicy)
        content.append(other.content)
    }

    /// In the order of `ObservationLog.append`.
    var parameters: [(any PostgresCodable)?] {
        [
            device, eventID, occurredAt, correctedAt, receivedAt, appNumber, installation, type, surface, source,
            platform, osVersion, osBuild, appVersion, channel, bootedAt, firstLaunchedAt, galleryPolicy, content,
        ]
    }

    /// In the order of `ObservationLog.conflicts`.
    var identities: [(any PostgresCodable)?] { [device, eventID, occurredAt, type, surface, content] }
}
