/// Something that was taken as it was sent, and is probably a mistake of the integration.
public struct BatchWarning: Hashable, Sendable {
    /// Stable code on the wire.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// A field that is not ours but has the same letters as one that is.
        case unknownField = "unknown_field"
        /// A field of ours, in another object than where it belongs.
        case misplacedField = "misplaced_field"
        /// A device id that many devices are known to send.
        case sharedDevice = "shared_device"
        /// `os_version` with the system's name in it.
        case osVersion = "os_version"
        /// A family of WidgetKit in another spelling: counted apart.
        case family
        /// A boot or first launch in the future: ignored.
        case futureTime = "future_time"
        /// Two events of one kind, or two lists of one surface, at one instant.
        case sameInstant = "same_instant"
        /// Two events with one `id` and one `at` that tell different things: one is stored.
        case sameID = "same_id"
        /// `booted_at` of a system that lets no app send it.
        case bootTime = "boot_time"
        /// A test build that counts, or a channel that was meant to count and does not.
        case channel
        /// A kind that no manifest of the app declares on its surface.
        case undeclaredKind = "undeclared_kind"
        /// A family that no manifest of the app declares for the kind.
        case undeclaredFamily = "undeclared_family"
        /// A family past the app's cap: counted as ``Batch/other``.
        case otherFamily = "other_family"
    }

    public var code: Code
    /// The event's; nil when the warning is about the whole batch.
    public var index: Int?
    /// A sentence for the sender. It quotes a name that was sent only where its letters are those of one of ours.
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
