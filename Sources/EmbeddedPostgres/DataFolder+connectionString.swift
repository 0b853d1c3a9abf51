extension DataFolder {
    /// libpq keyword string for a database on the folder's server.
    func connectionString(database: String) -> String {
        "host=\(Self.quote(sockets)) port=\(Self.port) user=\(EmbeddedPostgres.user) dbname=\(Self.quote(database))"
    }

    /// libpq's quoting of a value: single quotes, with quote and backslash escaped by a backslash.
    private static func quote(_ value: String) -> String {
        let escaped = value.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "'" + String(escaped) + "'"
    }
}
