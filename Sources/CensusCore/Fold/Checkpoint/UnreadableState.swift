/// Why a stored state can't be read.
///
/// Never the same as having none: a device whose past can't be read is set aside, and is not folded as if it had no past.
public enum UnreadableState: Error, Hashable, Sendable {
    /// A newer program wrote it.
    case newerFormat(Int)
    /// It is not as long as its header says, or its checksum is another.
    case damaged
    /// Its checksum is right, or it has none, and it is not what the format prescribes.
    case malformed(format: Int)
    /// No program of ours begins so.
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
