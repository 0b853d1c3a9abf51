internal import CensusCore
internal import Crypto
internal import Postgres

extension BatchRows {
    /// The number that ``bytes`` begins with. Every later program must read a stored batch, so a change of the format needs a
    /// new number, and ``init(bytes:)`` must still read this one.
    ///
    /// Format 3 had no last column, ``Observation/Circumstances/rebooted``, and no warnings.
    package static let format: UInt64 = 4

    /// The reason why bytes are not a batch that this program can read.
    package enum Unreadable: Error, Hashable, Sendable {
        /// Written by a program with another format.
        case format(UInt64)
        case damaged
    }

    /// The batch as stored outside PostgreSQL: what would be sent, and a digest.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(BatchRows.format)
        writer.write(plain: device.bytes)
        writer.write(Array(appID.utf8))
        writer.write(UInt64(UInt32(bitPattern: appNumber)))
        for dimension in KnownNames.sets { writer.write(names[keyPath: dimension].sorted().map(\.text)) }
        writer.write(UInt64(observations.count))
        writer.write(observations.bytes)
        if let arrival { arrival.write(to: &writer) }
        writer.write(UInt64(refused.count))
        writer.write(refused.bytes)
        writer.write(UInt64(warned.count))
        writer.write(warned.bytes)
        return BatchRows.sealed(writer.bytes)
    }

    /// Bytes with their digest, which detects damage on the disk. PostgreSQL would reject damaged bytes with various errors, and
    /// some look like an outage.
    package static func sealed(_ content: [UInt8]) -> [UInt8] { content + SHA256.hash(data: content).prefix(8) }

    package convenience init(bytes: [UInt8]) throws(Unreadable) {
        let content = Array(bytes.dropLast(8))
        var whole = ByteReader(bytes)
        // Check the format before the digest, because another format can have another digest.
        guard let format = try? whole.readNumber() else { throw .damaged }
        guard format == BatchRows.format || format == 3 else { throw .format(format) }
        guard BatchRows.sealed(content) == bytes else { throw .damaged }
        do throws(ByteReader.Malformed) {
            var reader = ByteReader(content)
            _ = try reader.readNumber()
            let device = try reader.readPseudonym()
            let appID = String(decoding: try reader.readBytes(), as: UTF8.self)
            guard let number = UInt32(exactly: try reader.readNumber()) else { throw ByteReader.Malformed() }
            var names = KnownNames()
            for dimension in KnownNames.sets {
                names[keyPath: dimension] = Set(try reader.readTexts().map { Text($0) })
            }
            let columns = SQL.ObservationLog.copy.columns.count
            let observations = try reader.readRows(of: format == 3 ? columns - 1 : columns).widened(to: columns)
            let arrival = observations.isEmpty ? nil : try Arrival(from: &reader)
            let refused = try reader.readRows(of: BatchRows.noRefused.columns)
            let warned = format == 3 ? BatchRows.noWarned : try reader.readRows(of: BatchRows.noWarned.columns)
            guard reader.isAtEnd else { throw ByteReader.Malformed() }
            self.init(
                device: device, appID: appID, appNumber: Int32(bitPattern: number), names: names,
                observations: observations, arrival: arrival, refused: refused, warned: warned)
        } catch {
            throw .damaged
        }
    }
}

extension KnownNames {
    /// In the order in which a batch stores them.
    fileprivate static var sets: [WritableKeyPath<KnownNames, Set<Text>>] {
        [\.kinds, \.families, \.appVersions, \.osReleases]
    }
}
