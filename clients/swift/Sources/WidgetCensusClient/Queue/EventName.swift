import Foundation

/// The name of an event's file. It has everything needed to limit the queue without opening files.
///
/// `001763719198250-000001-3f9a2c71-opened-412.event`: milliseconds since 1970, the writer's serial, rank and size. Names sort
/// by time.
struct EventName: Hashable, Comparable, Sendable {
    /// When the event happened, by the device's clock.
    var milliseconds: Int
    /// Identifies the writing process, and counts within it.
    var serial: String
    var rank: EventRank
    var bytes: Int

    init(at date: Date, serial: String, rank: EventRank, bytes: Int) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        self.milliseconds = Int(min(max(milliseconds, 0), 999_999_999_999_999))
        self.serial = serial
        self.rank = rank
        self.bytes = bytes
    }

    /// - Returns: nil for a name that is not ours.
    init?(_ text: String) {
        guard text.hasSuffix(".event") else { return nil }
        let parts = text.dropLast(".event".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 5, let milliseconds = Int(parts[0]), let rank = EventRank(rawValue: String(parts[3])),
            let bytes = Int(parts[4]), bytes >= 0
        else { return nil }
        self.milliseconds = milliseconds
        serial = parts[1] + "-" + parts[2]
        self.rank = rank
        self.bytes = bytes
        // A different spelling of the same values would be the name of another file.
        guard self.text == text else { return nil }
    }

    var text: String { "\(milliseconds.padded(to: 15))-\(serial)-\(rank.rawValue)-\(bytes).event" }
    var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    static func < (left: EventName, right: EventName) -> Bool {
        (left.milliseconds, left.serial) < (right.milliseconds, right.serial)
    }
}

/// The order in which events are evicted from a full queue.
enum EventRank: String, CaseIterable, Comparable, Sendable {
    case rendered, opened, changed, reported

    init(_ kind: Event.Kind) {
        self =
            switch kind {
            case .rendered: .rendered
            case .opened: .opened
            case .installed, .removed, .configured: .changed
            case .reported: .reported
            }
    }

    private var order: Int {
        switch self {
        case .rendered: 0
        case .opened: 1
        case .changed: 2
        case .reported: 3
        }
    }

    static func < (left: EventRank, right: EventRank) -> Bool { left.order < right.order }
}
