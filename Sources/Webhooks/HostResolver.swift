internal import Glibc
internal import NIOPosix

/// Finds the addresses of a host.
package struct HostResolver: Sendable {
    private let find: @Sendable (String) async throws(DeliveryFailure) -> [IPAddress]

    package init(_ find: @escaping @Sendable (String) async throws(DeliveryFailure) -> [IPAddress]) {
        self.find = find
    }

    /// Asks this machine's resolver.
    package static let system = HostResolver { host throws(DeliveryFailure) in
        let found: Result<[IPAddress], DeliveryFailure>
        do {
            found = try await NIOThreadPool.singleton.runIfActive { HostResolver.ask(host) }
        } catch {
            throw .unresolved("the lookup was cancelled")
        }
        return try found.get()
    }

    /// Returns the host's addresses, all of them allowed.
    ///
    /// - Throws: if one is not allowed, because we can't know which one a connection gets.
    package func addresses(of host: String, allowsPrivate: Bool) async throws(DeliveryFailure) -> [IPAddress] {
        let addresses: [IPAddress]
        if let address = IPAddress(host) { addresses = [address] } else { addresses = try await find(host) }
        if !allowsPrivate {
            for address in addresses {
                if let kind = address.privacy { throw .forbidden(address: "\(address)", kind: kind) }
            }
        }
        guard !addresses.isEmpty else { throw .unresolved("it has no address") }
        return addresses
    }

    private static func ask(_ host: String) -> Result<[IPAddress], DeliveryFailure> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        guard status == 0 else { return .failure(.unresolved(String(cString: gai_strerror(status)))) }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next {
            if let address = IPAddress(entry.pointee), !addresses.contains(address) { addresses.append(address) }
            next = entry.pointee.ai_next
        }
        return .success(addresses)
    }
}

extension IPAddress {
    fileprivate init?(_ info: addrinfo) {
        guard let address = info.ai_addr else { return nil }
        switch info.ai_family {
        case AF_INET:
            self = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin_addr) { IPAddress(bytes: Array($0)) }
            }
        case AF_INET6:
            self = address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                withUnsafeBytes(of: address.pointee.sin6_addr) { IPAddress(bytes: Array($0)) }
            }
        default: return nil
        }
    }
}
