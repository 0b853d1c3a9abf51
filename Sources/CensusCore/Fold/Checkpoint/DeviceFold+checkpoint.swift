/// A device's state as bytes, so that the next fold need not begin at the first observation.
///
/// Two numbers come first (docs/decisions/0013-checkpoints.md tells what to do when one has to change):
/// - ``format``: how to read the bytes. Older formats stay readable for ever; each has its own reader in `Formats/`.
/// - ``rules``: how observations were folded. If a newest checkpoint is under other rules, its device is folded again; a base
///   under other rules is evidence, and the fold goes on from it.
extension DeviceFold {
    /// The format that is written, and the newest that is read.
    public static let format: UInt16 = 3
    /// Raised in every release in which some history leads to another state than before; the suite `Golden states` notices.
    public static let rules: UInt16 = 3

    /// The state, without the spans that no later observation can change: see ``DeviceState/isFixed(_:)``.
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

    /// The state that a fold by the same rules and with the same settings led to.
    ///
    /// - Returns: nil when the bytes are of another fold or can't be read. Then fold the device again, starting at its base.
    public func state(checkpoint bytes: [UInt8]) -> DeviceState? {
        guard let (header, rest) = try? StateHeader.read(bytes), header.rules == DeviceFold.rules,
            header.settings == settings
        else { return nil }
        return try? DeviceFold.state(header, rest)
    }

    /// The state that a fold by any rules and with any settings led to, because the observations behind it may no longer be kept.
    ///
    /// - Throws: ``UnreadableState``. Then nothing that is stored for the device may be changed.
    public func state(base bytes: [UInt8]) throws(UnreadableState) -> DeviceState {
        let (header, rest) = try StateHeader.read(bytes)
        return try DeviceFold.state(header, rest)
    }

    private static func state(
        _ header: StateHeader, _ bytes: ArraySlice<UInt8>
    ) throws(UnreadableState) -> DeviceState {
        do throws(ByteReader.Malformed) {
            // A new reader, because the state's texts are numbered from its first.
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

    /// Whether no later observation can change a span: it ended before the last observation, and no suspect in it awaits its
    /// outcome.
    public func isFixed(_ span: Span) -> Bool {
        guard let end = span.to, let lastHeardAt, end < lastHeardAt else { return false }
        guard let suspectSince, span.level.suspect > 0 else { return true }
        return span.from < suspectSince
    }
}

/// Why a stored state can't be read.
///
/// Never treat it as no state: a device whose past can't be read is set aside, not folded as if it had no past.
public enum UnreadableState: Error, Hashable, Sendable {
    /// A newer program wrote it.
    case newerFormat(Int)
    /// Its length or its checksum is not what its header says.
    case damaged
    /// Its checksum is right, or it has none, but it is not what the format prescribes.
    case malformed(format: Int)
    /// None of our programs wrote bytes that begin like this.
    case unknown
}

extension UnreadableState: CustomStringConvertible {
    public var description: String {
        switch self {
        case .newerFormat(let format):
            "it has format \(format), and this program reads no newer one than \(DeviceFold.format): run a newer program"
        case .damaged: "its bytes have changed since they were written: bring the row back from a backup"
        case .malformed(let format): "it is not what format \(format) prescribes: bring the row back from a backup"
        case .unknown: "it has no format that any version of this program wrote: bring the row back from a backup"
        }
    }
}
