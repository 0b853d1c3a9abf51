internal import HTTPTypes
internal import IngestServer

extension ConsoleOptions {
    /// - Throws: ``UsageError`` for a value that it does not know, and for a header without the proxy that may send it.
    init(_ values: [String: String]) throws {
        self.init()
        if let text = values["CENSUS_CONSOLE"] {
            guard let access = Access(rawValue: text) else {
                throw UsageError("CENSUS_CONSOLE is \(text); it is key, open or off")
            }
            self.access = access
        }
        if let text = values["CENSUS_CONSOLE_TRUSTED_PROXY"] {
            let addresses = text.split(separator: ",").map { $0.filter { $0 != " " } }
            for address in addresses where !ConsoleOptions.isAddress(address) {
                throw UsageError(
                    "CENSUS_CONSOLE_TRUSTED_PROXY has \(address); it takes IP addresses, such as 127.0.0.1,::1")
            }
            trustedProxies = Set(addresses)
        }
        if let text = values["CENSUS_CONSOLE_LOGIN_HEADER"] {
            guard let name = HTTPField.Name(text) else {
                throw UsageError(
                    "CENSUS_CONSOLE_LOGIN_HEADER is \(text); it is a header's name, such as X-Forwarded-User")
            }
            // If anybody else could send it, the header would be a way in.
            guard !trustedProxies.isEmpty else {
                throw UsageError(
                    "CENSUS_CONSOLE_LOGIN_HEADER needs CENSUS_CONSOLE_TRUSTED_PROXY: the address from which it is trusted"
                )
            }
            loginHeader = name
        }
    }

    private static func isAddress(_ text: String) -> Bool {
        let isOfIPv4 = text.split(separator: ".", omittingEmptySubsequences: false).count == 4
        return isOfIPv4
            ? text.split(separator: ".").allSatisfy { UInt8($0) != nil }
            : text.contains(":") && text.allSatisfy { $0.isHexDigit || $0 == ":" }
    }
}
