package import CensusCore
internal import Crypto
internal import Postgres

/// A key that grants access, as text: printed once when it is made, and never stored.
package struct Key: Sendable {
    package enum Role: String, Hashable, Sendable, Decodable, CaseIterable, PostgresCodable {
        /// Ships inside apps, so it is public: posts events, reads the gallery policy.
        case write
        /// Console and reports.
        case read
        /// Manifests.
        case release
        /// Console, with acts.
        case manage
    }

    package let text: String

    /// Makes a key from 256 random bits.
    package init(role: Role) {
        let bits = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        self.text = "wc_\(role.rawValue)_" + bits.hexadecimal
    }

    package init(text: String) {
        self.text = text
    }

    /// Whether a text looks like a write key, issued or not.
    package static func couldBe(_ text: String) -> Bool {
        let prefix = "wc_\(Role.write.rawValue)_"
        return text.hasPrefix(prefix) && text.utf8.count == prefix.utf8.count + 64
            && text.utf8.dropFirst(prefix.utf8.count).allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    /// SHA-256 is enough for 256 random bits, and finding equal hashes never compares keys byte by byte.
    package var hash: KeyHash { KeyHash(Array(SHA256.hash(data: Array(text.utf8)))) }
}

/// Stands for a key, whose text is not stored.
package struct KeyHash: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The key's name in lists: see ``ListedKey/name``.
    package var name: String { Array(bytes.prefix(6)).hexadecimal }

    // All bytes at once: an array hashes byte by byte, and every request looks its key up several times.
    package func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
}

/// What the server knows about a key.
package struct KeyRecord: Hashable, Sendable {
    package var role: Key.Role
    /// The channel of everything sent with it, whatever the batch says; nil: as the batch says.
    package var channel: String?
    /// The person who has it; nil: unknown.
    package var holder: String?
    package var isRevoked: Bool
    package var appID: String
    package var caps: NameCaps
}

/// A key as people see it in a list.
package struct ListedKey: Hashable, Sendable, Decodable {
    package var appID: String
    package var role: Key.Role
    package var channel: String?
    /// The person who has it; nil: unknown.
    package var holder: String?
    /// The first digits of its hash: enough to tell it from others, too few to guess it from.
    package var name: String
    package var madeAt: Timestamp
    /// Nil while it is valid.
    package var revokedAt: Timestamp?
}
