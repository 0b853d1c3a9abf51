/// A device's state as bytes, so that the next fold need not begin at the first observation.
///
/// Two numbers stand in front (docs/decisions/0024-formats-and-rules.md says what each change asks for):
/// - ``format``: how the bytes are read. An older format is read for ever, by a reader of its own in `Formats/`.
/// - ``rules``: how observations were folded. A newest checkpoint under other rules is folded again; a base under other rules
///   is evidence, and is folded on.
extension DeviceFold {
    /// The format that is written, and the newest that is read.
    public static let format: UInt16 = 3
    /// Raised in every release in which some history leads to another state than before; `Golden states` notices.
    public static let rules: UInt16 = 3

    /// The state without the spans that no later observation can change: see ``DeviceState/isFixed(_:)``.
    public func checkpoint(of state: DeviceState) -> [UInt8] {
        var writer = ByteWriter()
        var living = state
        living.history.dropClosed { state.isFixed($0) }
        living.phaseHistory = state.phaseHistory.withoutFixed(heardAt: state.lastHeardAt)
        living.write(to: &writer)
        let header = StateHeader(
            format: DeviceFold.format, rules: DeviceFold.rules, settings: settings,
            olderRules: state.olderRules.sorted())
        return header.bytes(before: writer.bytes)
    }

    /// The state to which a fold by the same rules and with the same settings led.
    ///
    /// - Returns: nil when the bytes are of another fold, or can't be read: the device is to be folded again, from its base on.
    public func state(checkpoint bytes: [UInt8]) -> DeviceState? {
        guard let (header, rest) = try? StateHeader.read(bytes), header.rules == DeviceFold.rules,
            header.settings == settings
        else { return nil }
        return try? DeviceFold.state(header, rest)
    }

    /// The state that a fold by any rules and with any settings led to: what observations said that are no longer kept can't be
    /// read again.
    ///
    /// - Throws: ``UnreadableState``, after which nothing that is stored of the device may be changed.
    public func state(base bytes: [UInt8]) throws(UnreadableState) -> DeviceState {
        let (header, rest) = try StateHeader.read(bytes)
        return try DeviceFold.state(header, rest)
    }

    private static func state(
        _ header: StateHeader, _ bytes: ArraySlice<UInt8>
    ) throws(UnreadableState) -> DeviceState {
        do throws(ByteReader.Malformed) {
            // A reader of its own: texts are numbered from the state's first on.
            var reader = ByteReader(Array(bytes))
            var state: DeviceState
            switch header.format {
            case 2: state = try Format2.state(from: &reader)
            default: state = try DeviceState(from: &reader)
            }
            guard reader.isAtEnd else { throw ByteReader.Malformed() }
            state.olderRules = Set(header.olderRules).union([Int(header.rules)]).subtracting([Int(DeviceFold.rules)])
            return state
        } catch {
            throw .malformed(format: Int(header.format))
        }
    }

    private var settings: FoldSettings {
        FoldSettings(
            windowDays: window.days, zone: window.zone.identifier, doubtedBuilds: doubtedBuilds.sorted())
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
