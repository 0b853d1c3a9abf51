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
    /// - Throws: ``PostgresError/Kind/wrongUse`` when the connection string is malformed. The error does not quote
    ///   it, as libpq's message would.
    func withKeywords<R>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> R
    ) throws(PostgresError) -> R {
        let pairs = keywords(options: try givenOptions())
        var keywords: [UnsafePointer<CChar>?] = pairs.map { UnsafePointer(strdup($0.0)) }
        var values: [UnsafePointer<CChar>?] = pairs.map { UnsafePointer(strdup($0.1)) }
        defer { for string in keywords + values { free(UnsafeMutablePointer(mutating: string)) } }
        keywords.append(nil)
        values.append(nil)
        return body(keywords, values)
    }

    /// A later pair wins over an earlier one, so the connection string, `dbname`, stands between defaults and demands.
    private func keywords(options: String) -> [(String, String)] {
        var pairs = [
            // Without these a vanished server is noticed after hours, by PQcancel as well, which has no other limit.
            ("keepalives_idle", "30"), ("keepalives_interval", "10"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"),
            ("dbname", connectionString),
            ("client_encoding", "UTF8"),
        ]
        if let applicationName { pairs.append(("application_name", applicationName)) }
        if !settings.isEmpty { pairs.append(("options", options + settingOptions)) }
        return pairs
    }

    private var settingOptions: String {
        settings.sorted { $0.key < $1.key }.map { name, value in " -c \(Self.escape("\(name)=\(value)"))" }.joined()
    }

    /// The server splits `options` at white space, unless a backslash stands before it.
    private static func escape(_ text: String) -> String {
        String(text.flatMap { $0 == "\\" || $0.isWhitespace ? ["\\", $0] : [$0] })
    }

    /// The `options` of the connection string, else of the environment, which ours must be added to.
    private func givenOptions() throws(PostgresError) -> String {
        let isString = connectionString.contains("=") || connectionString.contains("://")
        guard let parsed = PQconninfoParse(isString ? connectionString : "", nil) else {
            throw PostgresError(.wrongUse, statement: nil, explanation: "the connection string is malformed")
        }
        defer { PQconninfoFree(parsed) }
        var option = parsed
        while let keyword = option.pointee.keyword {
            if String(cString: keyword) == "options", let value = option.pointee.val { return String(cString: value) }
            option += 1
        }
        return getenv("PGOPTIONS").map { String(cString: $0) } ?? ""
    }
}
