/// A device's state as bytes, so that the next fold doesn't have to begin with the first observation.
///
/// The bytes begin with two numbers. docs/decisions/0013-checkpoints.md says what to do when one of them has to change.
/// - ``format``: how to read the bytes. Older formats stay readable forever. Each has its own reader in `Formats/`.
/// - ``rules``: how observations were folded. If a newest checkpoint is from other rules, its device is folded again. A base
///   from other rules is evidence, and the fold goes on from it.
extension DeviceFold {
    /// The format that is written, and the newest one that can be read.
    public static let format: UInt16 = 3
    /// Raised in every release in which some history leads to a different state. The suite `Golden states` detects that.
    public static let rules: UInt16 = 3

    /// Writes the state, without the spans that no later observation can change: see ``DeviceState/isFixed(_:)``.
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

    /// Reads a state that comes from a fold by the same rules and with the same settings.
    ///
    /// - Returns: nil if the bytes are from another fold or can't be read. Then fold the device again from its base.
    public func state(checkpoint bytes: [UInt8]) -> DeviceState? {
        guard let (header, rest) = try? StateHeader.read(bytes), header.rules == DeviceFold.rules,
            header.settings == settings
        else { return nil }
        return try? DeviceFold.state(header, rest)
    }

    /// Reads a state from any rules and settings, because the observations behind it might no longer be kept.
    ///
    /// - Throws: ``UnreadableState``. Then don't change anything that is stored for the device.
    public func state(base bytes: [UInt8]) throws(UnreadableState) -> DeviceState {
        let (header, rest) = try StateHeader.read(bytes)
        return try DeviceFold.state(header, rest)
    }

    private static func state(
        _ header: StateHeader, _ bytes: ArraySlice<UInt8>
    ) throws(UnreadableState) -> DeviceState {
        do throws(ByteReader.Malformed) {
            // A new reader, because the state's texts are numbered from its first one.
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
    /// The earliest suspicion that is not settled; nil if there is none.
    public var suspectSince: Timestamp? { surfaces.values.compactMap(\.suspectSince).min() }

    /// Whether no later observation can change a span, because it ended before the last observation and no suspect in it awaits
    /// its outcome.
    public func isFixed(_ span: Span) -> Bool {
        guard let end = span.to, let lastHeardAt, end < lastHeardAt else { return false }
        guard let suspectSince, span.level.suspect > 0 else { return true }
        return span.from < suspectSince
    }
}

/// Why a stored state can't be read.
///
/// Never treat it as an empty state: a device whose past can't be read is set aside, not folded as if it had no past.
public enum UnreadableState: Error, Hashable, Sendable {
    /// A newer program wrote it.
    case newerFormat(Int)
    /// Its length or its checksum doesn't match its header.
    case damaged
    /// Its checksum is right, or it has none, but its content doesn't match the format.
    case malformed(format: Int)
    /// No version of this program wrote bytes that begin like this.
    case unknown
}

extension UnreadableState: CustomStringConvertible {
    public var description: String {
        switch self {
        case .newerFormat(let format):
            "it has format \(format), but this program reads only up to format \(DeviceFold.format): run a newer version"
        case .damaged: "its bytes have changed since they were written: restore the row from a backup"
        case .malformed(let format): "it doesn't match format \(format): restore the row from a backup"
        case .unknown: "it isn't in any format of this program: restore the row from a backup"
        }
    }
}
