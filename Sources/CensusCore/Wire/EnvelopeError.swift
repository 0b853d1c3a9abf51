/// Why a whole batch was refused: it is not JSON, or not the envelope of docs/reference/contract.md.
public struct EnvelopeError: Error, Hashable, Sendable {
    /// Determines the status of the response.
    public enum Verdict: Hashable, Sendable {
        /// 400: the same bytes can never succeed.
        case malformed
        /// 413: send it in halves.
        case tooLarge
        /// 422: well formed, but there is nothing in it to store.
        case unusable
    }

    public var verdict: Verdict
    /// Stable code on the wire.
    public var code: String
    /// Says what is wrong and what to do.
    public var message: String
    /// RFC 6901: the place in the body.
    public var pointer: String
    /// Every mistake in the envelope, this one first; empty if only this one was looked for.
    public var all: [EnvelopeError] = []

    static func malformed(_ message: String, at pointer: String) -> EnvelopeError {
        EnvelopeError(verdict: .malformed, code: "invalid_envelope", message: message, pointer: pointer)
    }

    /// For a required field that is nil although its reader noted no mistake.
    static let unreadable = malformed("the envelope can't be read", at: "")

    init(verdict: Verdict, code: String, message: String, pointer: String) {
        self.verdict = verdict
        self.code = code
        self.message = message
        self.pointer = pointer
    }

    init(_ error: JSONError) {
        self.verdict = .malformed
        self.pointer = error.pointer
        switch error.reason {
        case .malformed(let sentence):
            self.code = "invalid_json"
            self.message = "not valid JSON: \(sentence), at byte \(error.offset)"
        case .tooDeep(let limit):
            self.code = "too_deep"
            self.message = "arrays and objects are nested deeper than \(limit) levels, at byte \(error.offset)"
        }
    }
}
