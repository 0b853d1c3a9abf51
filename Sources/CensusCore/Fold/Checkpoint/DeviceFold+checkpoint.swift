/// A device's state as bytes, so that the next fold need not begin at the first observation.
extension DeviceFold {
    /// Another number for every change of the rules or of the bytes: what an older fold led to must not be folded on.
    private static let version: UInt64 = 2

    /// The state without the spans that no later observation can change: see ``DeviceState/isFixed(_:)``.
    public func checkpoint(of state: DeviceState) -> [UInt8] {
        var writer = ByteWriter()
        var living = state
        living.history.dropClosed { state.isFixed($0) }
        living.phaseHistory = state.phaseHistory.withoutFixed
        living.write(to: &writer)
        return header + writer.bytes
    }

    /// - Returns: nil when another version of the rules, or a fold with other settings, wrote the bytes.
    public func state(checkpoint bytes: [UInt8]) -> DeviceState? {
        let header = header
        guard bytes.starts(with: header) else { return nil }
        return DeviceFold.state(bytes.dropFirst(header.count))
    }

    /// The state that a fold with any settings led to: what observations said that are no longer kept can't be read anew.
    ///
    /// - Returns: nil when another version of the rules wrote the bytes: whoever changes them has to read the old ones, too.
    public func state(base bytes: [UInt8]) -> DeviceState? {
        var header = ByteReader(bytes)
        guard (try? header.readNumber()) == DeviceFold.version, (try? Int(from: &header)) != nil,
            (try? String(from: &header)) != nil, (try? [String](from: &header)) != nil
        else { return nil }
        return DeviceFold.state(bytes.dropFirst(header.position))
    }

    private static func state(_ bytes: ArraySlice<UInt8>) -> DeviceState? {
        // Its own reader: texts are counted anew after the header.
        var reader = ByteReader(Array(bytes))
        guard let state = try? DeviceState(from: &reader), reader.isAtEnd else { return nil }
        return state
    }

    /// The version and the settings: bytes that begin otherwise are not ours.
    private var header: [UInt8] {
        var writer = ByteWriter()
        writer.write(DeviceFold.version)
        window.days.write(to: &writer)
        window.zone.identifier.write(to: &writer)
        doubtedBuilds.sorted().write(to: &writer)
        return writer.bytes
    }
}

extension DeviceState {
    /// The earliest suspicion that is not settled; nil when there is none.
    public var suspectSince: Timestamp? { surfaces.values.compactMap(\.suspectSince).min() }

    /// Whether a span is as it will stay, whatever later observations say: it has ended before the last observation, and
    /// no suspect in it waits for an outcome.
    public func isFixed(_ span: Span) -> Bool {
        guard let end = span.to, let lastHeardAt, end < lastHeardAt else { return false }
        guard let suspectSince, span.level.suspect > 0 else { return true }
        return span.from < suspectSince
    }
}
