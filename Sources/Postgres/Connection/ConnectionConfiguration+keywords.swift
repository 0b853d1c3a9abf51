internal import CLibPQ
#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

extension ConnectionConfiguration {
    /// Calls the body with libpq's arrays of keywords and values, each ended by a null pointer.
    ///
    /// - Throws: ``PostgresError/Reason/setUp`` if the connection string is malformed. The error doesn't quote it, as
    ///   libpq's message would.
    func withKeywords<R>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> R
    ) throws(PostgresError) -> R {
        try checkString()
        var keywords: [UnsafePointer<CChar>?] = pairs.map { UnsafePointer(strdup($0.0)) }
        var values: [UnsafePointer<CChar>?] = pairs.map { UnsafePointer(strdup($0.1)) }
        defer { for string in keywords + values { free(UnsafeMutablePointer(mutating: string)) } }
        keywords.append(nil)
        values.append(nil)
        return body(keywords, values)
    }

    /// Later pairs override earlier ones, so defaults are before the connection string (`dbname`), and requirements after it.
    private var pairs: [(String, String)] {
        var pairs = [
            // Without these, we would notice only after hours that a server has vanished. PQcancel has no other time limit.
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"),
            ("dbname", connectionString),
            ("client_encoding", "UTF8"),
        ]
        if let applicationName { pairs.append(("application_name", applicationName)) }
        return pairs
    }

    private func checkString() throws(PostgresError) {
        // libpq takes a bare word as the name of a database on the default server, so a typo would look like an unreachable
        // server.
        var message: UnsafeMutablePointer<CChar>?
        defer { if let message { PQfreemem(message) } }
        guard let parsed = PQconninfoParse(connectionString, &message) else {
            // The message itself can quote a part of the password.
            let isParameter = message.map { String(cString: $0).hasPrefix("invalid URI query parameter") } ?? false
            throw PostgresError(
                .setUp, statement: nil,
                explanation: "the connection string is malformed: "
                    + (isParameter
                        ? "libpq doesn't know a parameter that follows its question mark"
                        : "it must be a URI or keyword=value pairs"))
        }
        defer { PQconninfoFree(parsed) }
        var option = parsed
        while let keyword = option.pointee.keyword {
            let isHost = strcmp(keyword, "host") == 0
            if isHost, let host = option.pointee.val, strchr(host, Int32(UInt8(ascii: "@"))) != nil {
                // libpq would quote the host, which is the end of the password.
                throw PostgresError(
                    .setUp, statement: nil,
                    explanation: "the connection string's host has an @: in a URI, write one in the password as %40")
            }
            option += 1
        }
    }
}
