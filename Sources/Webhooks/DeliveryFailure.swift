/// Why a message got no response. The descriptions are stored, listed and logged, so none contains a URL's path, a secret or a
/// message.
package enum DeliveryFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A URL stored by another version of this program, which accepted URLs that this one rejects.
    case address(String)
    case unresolved(String)
    /// The host has an address that is not allowed.
    case forbidden(address: String, kind: String)
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
            "it leads to \(address), \(kind), which is not on the public internet; to allow that, use --allow-private"
        case .elsewhere: "the connection went to another address than the one that was checked"
        case .timedOut: "it did not answer in time"
        case .unreachable(let why): "it can't be reached: \(why)"
        case .tls:
            "no TLS connection; its certificate must be valid for this name, and signed by an authority that this machine "
                + "trusts"
        case .noHTTP: "its response is not HTTP"
        case .closed: "it closed the connection without a response"
        case .other(let what): "the request failed: \(what)"
        }
    }
}
