internal import CensusCore
internal import Postgres

extension ObservationColumns {
    /// In the order of `ObservationLog.append`, as ``Parcel/format`` 1 has it.
    func write(to writer: inout ByteWriter) {
        writer.write(device.elements)
        writer.write(eventID.elements)
        writer.write(occurredAt.elements)
        writer.write(correctedAt.elements)
        writer.write(receivedAt.elements)
        writer.write(appNumber.elements)
        writer.write(installation.elements)
        writer.write(type.elements)
        writer.write(surface.elements)
        writer.write(source.elements)
        writer.write(platform.elements)
        writer.write(osVersion.elements)
        writer.write(osBuild.elements)
        writer.write(appVersion.elements)
        writer.write(channel.elements)
        writer.write(bootedAt.elements)
        writer.write(firstLaunchedAt.elements)
        writer.write(galleryPolicy.elements)
        writer.write(content.elements)
    }

    /// What ``write(to:)`` wrote of so many observations.
    init(count: Int, from reader: inout ByteReader) throws(ByteReader.Malformed) {
        device = try reader.readColumn(count)
        eventID = try reader.readColumn(count)
        occurredAt = try reader.readColumn(count)
        correctedAt = try reader.readColumn(count)
        receivedAt = try reader.readColumn(count)
        appNumber = try reader.readColumn(count)
        installation = try reader.readColumn(count)
        type = try reader.readColumn(count)
        surface = try reader.readColumn(count)
        source = try reader.readColumn(count)
        platform = try reader.readColumn(count)
        osVersion = try reader.readColumn(count)
        osBuild = try reader.readColumn(count)
        appVersion = try reader.readColumn(count)
        channel = try reader.readColumn(count)
        bootedAt = try reader.readColumn(count)
        firstLaunchedAt = try reader.readColumn(count)
        galleryPolicy = try reader.readColumn(count)
        content = try reader.readColumn(count)
    }
}

extension ByteReader {
    fileprivate mutating func readColumn<Element: PostgresCodable>(
        _ count: Int
    ) throws(Malformed) -> Column<Element> {
        guard let column = Column<Element>(count: count, elements: try readBytes()) else { throw Malformed() }
        return column
    }
}
