/// Something that the server accepted as sent, but that is probably a mistake of the integration.
public struct BatchWarning: Hashable, Sendable {
    /// Stable code on the wire.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// An unknown field with the same letters as a known one.
        case unknownField = "unknown_field"
        /// A known field in the wrong object.
        case misplacedField = "misplaced_field"
        /// A device id that many devices are known to send.
        case sharedDevice = "shared_device"
        /// `os_version` with the system's name in it.
        case osVersion = "os_version"
        /// A WidgetKit family in another spelling, which is counted separately.
        case family
        /// A boot or first launch in the future, which is ignored.
        case futureTime = "future_time"
        /// Two events of one kind, or two lists of one surface, at one instant.
        case sameInstant = "same_instant"
        /// Two different events with one `id` and one `at`. Only one is stored.
        case sameID = "same_id"
        /// `booted_at` from a system whose rules forbid sending it.
        case bootTime = "boot_time"
        /// A test build that is counted, or a channel that was meant to be counted and isn't.
        case channel
        /// A kind that no manifest of the app declares on its surface.
        case undeclaredKind = "undeclared_kind"
        /// A family that no manifest of the app declares for the kind.
        case undeclaredFamily = "undeclared_family"
        /// A family past the app's cap, which is counted as ``Batch/other``.
        case otherFamily = "other_family"
    }

    public var code: Code
    /// The event's index; nil if the warning is about the whole batch.
    public var index: Int?
    /// Says what is wrong and what to do. It quotes a sent name only if its letters match a known one.
    public var message: String
    /// RFC 6901: the place in the body.
    public var pointer: String

    public init(code: Code, index: Int?, message: String, pointer: String) {
        self.code = code
        self.index = index
        self.message = message
        self.pointer = pointer
    }
}
