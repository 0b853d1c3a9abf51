#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif
internal import NIOCore

/// Why the service can't listen where it was told to.
package struct ListenFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// The system's number of the fault; nil when the host's name leads nowhere.
    package let code: Int32?

    /// - Returns: nil when the error is about something else.
    package init?(_ error: any Error, host: String, port: Int) {
        switch error {
        case let error as IOError:
            code = error.errnoCode
            let remedy = error.errnoCode == EADDRINUSE ? ": stop what listens there, or choose another port" : ""
            description = "cannot listen on \(host):\(port): \(String(cString: strerror(error.errnoCode)))\(remedy)"
        case let error as SocketAddressError:
            code = nil
            description = "cannot listen on \(host):\(port): \(error)"
        case is SocketAddressError.UnknownHost:
            code = nil
            description =
                "cannot listen on \(host):\(port): nothing is known of the name \(host) (yet): give an address of this machine"
        default: return nil
        }
    }

    package init(code: Int32?) {
        self.code = code
        description = "cannot listen"
    }
}
