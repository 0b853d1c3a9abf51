internal import Glibc

/// An IP address, and whether it is public.
package struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four or sixteen, in network order.
    let bytes: [UInt8]

    package var isIPv6: Bool { bytes.count == 16 }

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Accepts only the usual notations, not the octal, hexadecimal or shortened ones that some resolvers accept.
    package init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count)) != nil else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The kind of a non-public address, such as "a loopback address"; nil for a public one.
    package var privacy: String? {
        let special = isIPv6 ? IPAddress.special6 : IPAddress.special4
        if let network = special.first(where: { $0.contains(self) }) { return network.kind }
        // Anything that the registries have not assigned to the public internet, now or later.
        return isIPv6 && bytes[0] & 0xE0 != 0x20 ? "not a public address" : nil
    }

    private struct Network {
        var start: [UInt8]
        var length: Int
        var kind: String

        init(_ start: String, _ length: Int, _ kind: String) {
            self.start = IPAddress(start)?.bytes ?? []
            self.length = length
            self.kind = kind
        }

        func contains(_ address: IPAddress) -> Bool {
            (0..<length).allSatisfy { bit in
                (start[bit / 8] ^ address.bytes[bit / 8]) & (0x80 >> (bit % 8)) == 0
            }
        }
    }

    /// IANA's registries of special-purpose addresses (RFC 6890 and its successors).
    private static let special4 = [
        Network("0.0.0.0", 8, "an address of this machine"), Network("10.0.0.0", 8, "a private address"),
        Network("100.64.0.0", 10, "an address behind a carrier's NAT"), Network("127.0.0.0", 8, "a loopback address"),
        Network("169.254.0.0", 16, "a link-local address"), Network("172.16.0.0", 12, "a private address"),
        Network("192.0.0.0", 24, "a reserved address"), Network("192.0.2.0", 24, "a reserved address"),
        Network("192.88.99.0", 24, "a reserved address"), Network("192.168.0.0", 16, "a private address"),
        Network("198.18.0.0", 15, "a reserved address"), Network("198.51.100.0", 24, "a reserved address"),
        Network("203.0.113.0", 24, "a reserved address"), Network("224.0.0.0", 4, "a multicast address"),
        Network("240.0.0.0", 4, "a reserved address"),
    ]

    /// Inside 2000::/3, the networks that are not public; outside it, only those with a better name than "not public".
    private static let special6 = [
        Network("::1", 128, "a loopback address"), Network("::", 128, "an address of this machine"),
        Network("::ffff:0:0", 96, "an IPv4-mapped IPv6 address"), Network("64:ff9b::", 96, "a NAT64 address"),
        Network("64:ff9b:1::", 48, "a NAT64 address"), Network("fc00::", 7, "a unique local address"),
        Network("fe80::", 10, "a link-local address"), Network("ff00::", 8, "a multicast address"),
        // Teredo is among these.
        Network("2001::", 23, "a reserved address"), Network("2001:db8::", 32, "a reserved address"),
        Network("2002::", 16, "a 6to4 address"), Network("3fff::", 20, "a reserved address"),
    ]
}
