package import CensusCore
internal import Crypto

/// The key with which a deployment hashes device and installation ids. It is the same on every node and never changes.
package struct Secret: Sendable {
    /// Keyed once; each hash copies it, because keying is half the cost.
    private let keyed: HMAC<SHA256>

    /// - Parameter text: at least 16 bytes, from `CENSUS_SECRET` or the embedded database's folder.
    package init(_ text: String) throws(StoreError) {
        guard text.utf8.count >= 16 else {
            throw StoreError(.request, "CENSUS_SECRET is shorter than 16 bytes; create one with `openssl rand -hex 32`")
        }
        self.keyed = HMAC<SHA256>(key: SymmetricKey(data: Array(text.utf8)))
    }

    /// Tells secrets apart without revealing them.
    package var fingerprint: [UInt8] {
        Array(code(of: "widget-census fingerprint"))
    }

    /// A device in one app; the same phone is another device in another app.
    package func device(_ id: String, app: String) -> Pseudonym { pseudonym("device", app, id) }

    package func installation(_ id: String, app: String) -> Pseudonym { pseudonym("installation", app, id) }

    /// Signs the contents of a console cookie, with a key derived from this one.
    package func sessionCode(of text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: sessionKey))
    }

    /// Compares in constant time.
    package func isSessionCode(_ code: [UInt8], of text: String) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Array(text.utf8), using: sessionKey)
    }

    /// Signs the forms of a console's visitor, with another derived key, so that a form's code is never a cookie's.
    package func formCode(of text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: formKey))
    }

    /// Compares in constant time.
    package func isFormCode(_ code: [UInt8], of text: String) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: Array(text.utf8), using: formKey)
    }

    private var formKey: SymmetricKey { SymmetricKey(data: Array(code(of: "widget-census console form"))) }

    private var sessionKey: SymmetricKey { SymmetricKey(data: Array(code(of: "widget-census console session"))) }

    /// The parts can't hold U+0000 (the server refuses it), so no two triples give the same bytes.
    private func pseudonym(_ purpose: String, _ app: String, _ id: String) -> Pseudonym {
        let words = code(of: "\(purpose)\0\(app)\0\(id)").withUnsafeBytes { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        return Pseudonym(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
    }

    private func code(of text: String) -> HMAC<SHA256>.MAC {
        var hash = keyed
        hash.update(data: Array(text.utf8))
        return hash.finalize()
    }
}
