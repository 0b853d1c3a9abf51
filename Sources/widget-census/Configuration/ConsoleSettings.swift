internal import HTTPTypes
internal import IngestServer

extension ConsoleOptions {
    /// - Throws: ``UsageError`` if one is not an IP address.
    mutating func trust(proxies text: String) throws {
        let addresses = text.split(separator: ",").map { $0.filter { $0 != " " } }
        for address in addresses where !ConsoleOptions.isAddress(address) {
            throw UsageError(
                "CENSUS_CONSOLE_TRUSTED_PROXY has \(address); it must be IP addresses, such as 127.0.0.1,::1")
        }
        trustedProxies = Set(addresses)
    }

    /// - Throws: ``UsageError`` if the text is not a header's name, or if no proxy is trusted.
    mutating func setLoginHeader(_ text: String) throws {
        let name = try ConsoleOptions.header(text, of: "CENSUS_CONSOLE_LOGIN_HEADER", such: "X-Forwarded-User")
        // If the header were trusted from any client, anybody could sign in with it.
        guard !trustedProxies.isEmpty else {
            throw UsageError(
                "CENSUS_CONSOLE_LOGIN_HEADER needs CENSUS_CONSOLE_TRUSTED_PROXY, the proxies that send it")
        }
        loginHeader = name
    }

    /// - Throws: ``UsageError`` if the text is not a header's name, or if there is no login header.
    mutating func setRoleHeader(_ text: String) throws {
        let name = try ConsoleOptions.header(text, of: "CENSUS_CONSOLE_ROLE_HEADER", such: "X-Forwarded-Role")
        guard let loginHeader else {
            throw UsageError(
                "CENSUS_CONSOLE_ROLE_HEADER needs CENSUS_CONSOLE_LOGIN_HEADER, which names the person who signs an act")
        }
        guard name != loginHeader else {
            throw UsageError("CENSUS_CONSOLE_ROLE_HEADER and CENSUS_CONSOLE_LOGIN_HEADER must be different headers")
        }
        roleHeader = name
    }

    private static func header(_ text: String, of setting: String, such example: String) throws -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else {
            throw UsageError("\(setting) is \(text); it must be a header, such as \(example)")
        }
        guard !sentByBrowsers.contains(name.canonicalName) else {
            throw UsageError(
                "\(setting) is \(text), which browsers send; it must be another header, such as \(example)")
        }
        return name
    }

    /// Headers that have a meaning of their own in every request, so no proxy puts a person into them.
    private static let sentByBrowsers: Set<String> = [
        "accept", "accept-encoding", "accept-language", "connection", "content-length", "content-type", "cookie",
        "host",
        "origin", "referer", "transfer-encoding", "user-agent",
    ]

    private static func isAddress(_ text: String) -> Bool {
        let isOfIPv4 = text.split(separator: ".", omittingEmptySubsequences: false).count == 4
        return isOfIPv4
            ? text.split(separator: ".").allSatisfy { UInt8($0) != nil }
            : text.contains(":") && text.allSatisfy { $0.isHexDigit || $0 == ":" }
    }
}
