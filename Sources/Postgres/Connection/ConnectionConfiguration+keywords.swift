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
    /// - Throws: ``PostgresError/Reason/setUp`` when the connection string is malformed. The error does not quote
    ///   it, as libpq's message would.
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

    /// A later pair wins over an earlier one, so the connection string, `dbname`, stands between defaults and demands.
    private var pairs: [(String, String)] {
        var pairs = [
            // Without these a vanished server is noticed only after hours, even by PQcancel, which has no other limit.
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"),
            ("dbname", connectionString),
            ("client_encoding", "UTF8"),
        ]
        if let applicationName { pairs.append(("application_name", applicationName)) }
        return pairs
    }

    private func checkString() throws(PostgresError) {
        // A bare word would name a database on the default server, whichever that is, and a typo would look like a server
        // that is away.
        guard let parsed = PQconninfoParse(connectionString, nil) else {
            throw PostgresError(
                .setUp, statement: nil,
                explanation: "the connection string is malformed: it is a URI or keyword=value pairs")
        }
        PQconninfoFree(parsed)
    }
}
