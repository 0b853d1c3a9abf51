/// Why a message got no answer. The sentences are stored, listed and logged: none holds an address's path, a secret or a message.
package enum DeliveryFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// Stored by another version of this program, which took addresses that this one refuses.
    case address(String)
    /// The host's name can't be resolved, for now or for good.
    case unresolved(String)
    /// It leads to an address that was not allowed.
    case forbidden(address: String, kind: String)
    /// The connection led elsewhere than to the address that was checked.
    case elsewhere
    case timedOut
    case unreachable(String)
    case tls
    case noHTTP
    case closed
    case other(String)

    package var description: String {
        switch self {
        case .address(let fault): fault
        case .unresolved(let why): "its name can't be resolved: \(why)"
        case .forbidden(let address, let kind):
            "it leads to \(address), \(kind): a network outside the internet, which only --allow-private permits"
        case .elsewhere: "the connection led to another address than the one that was checked"
        case .timedOut: "it did not answer in time"
        case .unreachable(let why): "it can't be reached: \(why)"
        case .tls:
            "no TLS connection: is its certificate valid for this name, and signed by an authority that this machine knows?"
        case .noHTTP: "what it answered is not HTTP"
        case .closed: "it closed the connection without an answer"
        case .other(let what): "it can't be sent to: \(what)"
        }
    }
}
