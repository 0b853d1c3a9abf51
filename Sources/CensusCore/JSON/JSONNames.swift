/// The names of members that this program looks up. The parser links their keys, so that lookups need not search objects.
///
/// Lookups of other names go through all members of the object.
enum JSONNames {
    /// At most 64, because the parser has one bit for each.
    static let all: [StaticString] = [
        "sent_at", "app", "device", "installation", "gallery_policy", "events", "received_at",
        "id", "version", "channel", "platform", "os_version", "os_build", "booted_at", "first_launched_at", "rebooted",
        "type", "at", "surface", "source", "widget", "widgets", "error", "instances", "domain", "code",
        "kind", "family", "intent", "configuration", "instance", "count",
        // Segment's.
        "batch", "writeKey", "event", "context", "os", "name", "anonymousId", "sentAt", "receivedAt", "properties",
        "messageId", "originalTimestamp", "timestamp", "userId", "traits", "options",
    ]

    /// The number of any other name.
    static let other: UInt8 = .max

    static let longest = all.map(\.utf8CodeUnitCount).max() ?? 0

    /// A hash table: each name's index is at ``slot(of:)``, or at the next free slot. Free slots have ``other``.
    private static let slots: [UInt8] = {
        var slots = [UInt8](repeating: other, count: 256)
        for (number, name) in all.enumerated() {
            var slot = slot(of: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            while slots[slot] != other { slot = (slot + 1) % slots.count }
            slots[slot] = UInt8(number)
        }
        return slots
    }()

    /// Differs for each of the names.
    ///
    /// - Parameter name: not empty.
    private static func slot(of name: UnsafeBufferPointer<UInt8>) -> Int {
        (2 * name.count + 7 * Int(name[0]) + Int(name[name.count - 1])) % 256
    }

    /// The index of a name in ``all``, or ``other``.
    static func number(of name: UnsafeBufferPointer<UInt8>) -> UInt8 {
        guard (1...longest).contains(name.count) else { return other }
        var slot = slot(of: name)
        while slots[slot] != other {
            if hasBytes(all[Int(slots[slot])], name) { return slots[slot] }
            slot = (slot + 1) % slots.count
        }
        return other
    }

    static func number(of name: StaticString) -> UInt8 {
        number(of: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// One bit for each name.
    static func bits(of names: [StaticString]) -> UInt64 { names.reduce(0) { $0 | bit(of: number(of: $1)) } }

    static func bit(of number: UInt8) -> UInt64 { number == other ? 0 : 1 << UInt64(number) }

    private static func hasBytes(_ name: StaticString, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard name.utf8CodeUnitCount == other.count else { return false }
        for offset in other.indices where name.utf8Start[offset] != other[offset] { return false }
        return true
    }
}
