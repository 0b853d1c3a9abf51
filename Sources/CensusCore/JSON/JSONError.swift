/// Why some bytes are not a JSON document.
public struct JSONError: Error, Hashable, Sendable {
    public enum Reason: Hashable, Sendable {
        /// The grammar of RFC 8259 is broken.
        case malformed(String)
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(limit: Int)
    }

    public let reason: Reason
    /// The byte, counted from 0, at which reading stopped.
    public let offset: Int
    /// RFC 6901: the array or object that was being read.
    public let pointer: String
}
