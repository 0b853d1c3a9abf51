internal import HTTPTypes
internal import IngestServer

extension ConsoleOptions {
    /// - Throws: ``UsageError`` for what is no address.
    mutating func trust(proxies text: String) throws {
        let addresses = text.split(separator: ",").map { $0.filter { $0 != " " } }
        for address in addresses where !ConsoleOptions.isAddress(address) {
            throw UsageError(
                "CENSUS_CONSOLE_TRUSTED_PROXY has \(address); it takes IP addresses, such as 127.0.0.1,::1")
        }
        trustedProxies = Set(addresses)
    }

    /// - Throws: ``UsageError`` for what is no header's name, and for a header without the proxy that may send it.
    mutating func setLoginHeader(_ text: String) throws {
        guard let name = HTTPField.Name(text) else {
            throw UsageError("CENSUS_CONSOLE_LOGIN_HEADER is \(text); it is a header's name, such as X-Forwarded-User")
        }
        // If anybody else could send it, the header would be a way in.
        guard !trustedProxies.isEmpty else {
            throw UsageError(
                "CENSUS_CONSOLE_LOGIN_HEADER needs CENSUS_CONSOLE_TRUSTED_PROXY: the address from which it is trusted")
        }
        loginHeader = name
    }

    private static func isAddress(_ text: String) -> Bool {
        let isOfIPv4 = text.split(separator: ".", omittingEmptySubsequences: false).count == 4
        return isOfIPv4
            ? text.split(separator: ".").allSatisfy { UInt8($0) != nil }
            : text.contains(":") && text.allSatisfy { $0.isHexDigit || $0 == ":" }
    }
}
