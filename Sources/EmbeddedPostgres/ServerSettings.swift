/// The private PostgreSQL's settings.
enum ServerSettings {
    /// Written to postgresql.conf when the cluster is created; an operator can change them there.
    ///
    /// Durability (fsync, full_page_writes and synchronous_commit on) is PostgreSQL's default and not repeated.
    static let initial: [(name: String, value: String)] = [
        ("timezone", "UTC"),
        ("log_timezone", "UTC"),
        // PostgreSQL uses only what it needs. With 128MB a busy day's indexes don't fit, and sessions write out each other's
        // pages.
        ("shared_buffers", "512MB"),
        // Keys are random, so after each checkpoint nearly every row writes a whole page of its index to the log again. Under
        // load the default of 1GB means a checkpoint every few seconds, and more than half of the log is such pages.
        ("max_wal_size", "4GB"),
        // Otherwise commits wait while a new file of the log is filled with zeros.
        ("wal_init_zero", "off"),
        ("max_connections", "60"),
        // Our queries are short or few, so compiling them costs more than it saves.
        ("jit", "off"),
        // Ends a query within half a second after its client is gone; otherwise it would hold its locks to the end.
        ("client_connection_check_interval", "500ms"),
    ]

    /// Given on the command line, where postgresql.conf can't undo them: only we can reach the server, and no data from
    /// devices gets into its log.
    ///
    /// Values are in an error's text and its DETAIL ("Key (id)=(…) already exists"), in a logged statement and its
    /// parameters, and in the LOG line about a crashed backend ("Failed process was running: …"). `fatal` is the lowest level
    /// above all of these. FATAL and PANIC are about sessions and the server ("could not write to file", "database does not
    /// exist"). At `panic` a server that refuses to start would not say why.
    static func fixed(for folder: DataFolder) -> [(name: String, value: String)] {
        [
            ("listen_addresses", ""),
            ("unix_socket_directories", "\"\(folder.sockets)\""),
            ("port", "\(DataFolder.port)"),
            ("unix_socket_permissions", "0700"),
            ("logging_collector", "off"),
            ("log_destination", "stderr"),
            ("log_min_messages", "fatal"),
            ("log_min_error_statement", "panic"),
            ("log_error_verbosity", "terse"),
            ("log_statement", "none"),
            ("log_min_duration_statement", "-1"),
            ("log_min_duration_sample", "-1"),
            ("log_transaction_sample_rate", "0"),
            ("log_parameter_max_length", "0"),
            ("log_parameter_max_length_on_error", "0"),
        ]
    }

    /// Returns settings as the text of `pg_ctl -o`, which a shell reads. If two have the same name, the later one applies.
    static func options(_ settings: [(name: String, value: String)]) -> String {
        settings.map { "-c \(quote("\($0.name)=\($0.value)", escape: "'\\''"))" }.joined(separator: " ")
    }

    /// Returns the initial settings as lines of postgresql.conf.
    static func file() -> String {
        "\n# Widget Census: set when this cluster was created; change them as you like.\n"
            + initial.map { "\($0.name) = \(quote($0.value, escape: "''"))\n" }.joined()
    }

    private static func quote(_ text: String, escape: String) -> String {
        // By scalars, because a quote and an accent after it are one `Character`.
        "'" + text.unicodeScalars.map { $0 == "'" ? escape : String($0) }.joined() + "'"
    }
}
