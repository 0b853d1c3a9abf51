internal import Crypto
internal import Foundation
internal import Postgres

/// The key that signs one webhook's messages, as Standard Webhooks specifies. Its description shows only the prefix.
package struct WebhookSecret: Hashable, Sendable, Decodable, CustomStringConvertible {
    let bytes: [UInt8]

    private static let prefix = "whsec_"

    /// Makes a secret from 256 random bits.
    package init() {
        self.bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
    }

    init(bytes: [UInt8]) { self.bytes = bytes }

    package init(from decoder: any Decoder) throws {
        bytes = try decoder.singleValueContainer().decode(ByteArray.self).bytes
    }

    /// As given to the receiver: shown once.
    package var text: String { WebhookSecret.prefix + Data(bytes).base64EncodedString() }

    package var description: String { WebhookSecret.prefix + "…" }

    /// The value of `webhook-signature`.
    ///
    /// - Parameter seconds: the value of `webhook-timestamp`.
    package func signature(id: String, seconds: Int64, payload: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(id).\(seconds).\(payload)".utf8), using: SymmetricKey(data: bytes))
        return "v1," + Data(code).base64EncodedString()
    }
}
