/// The names of members that this program asks documents for: a parser notes them as it reads, so that no lookup has to
/// search an object.
///
/// One that is missing here is still found, by going through the object's members.
enum JSONNames {
    /// At most 64: a parser has one bit for each.
    static let all: [StaticString] = [
        "sent_at", "app", "device", "installation", "gallery_policy", "events", "received_at",
        "id", "version", "channel", "platform", "os_version", "os_build", "booted_at", "first_launched_at", "rebooted",
        "type", "at", "surface", "source", "widget", "widgets", "error", "instances", "domain", "code",
        "kind", "family", "intent", "configuration", "instance", "count",
        // Segment's.
        "batch", "writeKey", "event", "context", "os", "name", "anonymousId", "sentAt", "receivedAt", "properties",
        "messageId", "originalTimestamp", "timestamp", "userId", "traits", "options",
    ]

    /// Stands for any other name.
    static let other: UInt8 = .max

    static let longest = all.map(\.utf8CodeUnitCount).max() ?? 0

    /// By length: few have the same.
    private static let byLength: [[(name: StaticString, number: UInt8)]] = {
        var lists = [[(name: StaticString, number: UInt8)]](repeating: [], count: longest + 1)
        for (number, name) in all.enumerated() { lists[name.utf8CodeUnitCount].append((name, UInt8(number))) }
        return lists
    }()

    /// The place of a name in ``all``, or ``other``.
    static func number(of name: UnsafeBufferPointer<UInt8>) -> UInt8 {
        guard name.count <= longest else { return other }
        for known in byLength[name.count] where hasBytes(known.name, name) { return known.number }
        return other
    }

    static func number(of name: StaticString) -> UInt8 {
        number(of: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// A bit for each of some names.
    static func bits(of names: [StaticString]) -> UInt64 { names.reduce(0) { $0 | bit(of: number(of: $1)) } }

    static func bit(of number: UInt8) -> UInt64 { number == other ? 0 : 1 << UInt64(number) }

    private static func hasBytes(_ name: StaticString, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        for offset in other.indices where name.utf8Start[offset] != other[offset] { return false }
        return true
    }
}
