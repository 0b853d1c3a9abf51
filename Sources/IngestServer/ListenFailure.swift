#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif
internal import NIOCore

/// Why the service can't listen on its address.
package struct ListenFailure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// The system's error number; nil if the host's name can't be resolved.
    package let code: Int32?

    /// - Parameter holder: returns the name of the process that uses the port; nil if unknown.
    /// - Returns: nil if the error is about something else.
    package init?(_ error: any Error, host: String, port: Int, holder: (Int) -> String? = { _ in nil }) {
        switch error {
        case let error as IOError:
            code = error.errnoCode
            let isTaken = error.errnoCode == EADDRINUSE
            let remedy =
                isTaken
                ? ": \(holder(port).map { "\($0) uses the port; stop it" } ?? "stop the program that uses the port"), "
                    + "or choose another with --port" : ""
            description = "cannot listen on \(host):\(port): \(String(cString: strerror(error.errnoCode)))\(remedy)"
        case let error as SocketAddressError:
            code = nil
            description = "cannot listen on \(host):\(port): \(error)"
        case is SocketAddressError.UnknownHost:
            code = nil
            description =
                "cannot listen on \(host):\(port): the name \(host) does not resolve (yet); give an address of this machine"
        default: return nil
        }
    }

    package init(code: Int32?) {
        self.code = code
        description = "cannot listen"
    }
}
