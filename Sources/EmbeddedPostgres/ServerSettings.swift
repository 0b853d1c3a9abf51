/// What the private server is set to.
enum ServerSettings {
    /// Written to postgresql.conf when the cluster is made; an operator may change them there.
    ///
    /// Durability is PostgreSQL's default (fsync, full_page_writes, synchronous_commit on) and not repeated.
    static let initial: [(name: String, value: String)] = [
        ("timezone", "UTC"),
        ("log_timezone", "UTC"),
        // Used only as needed. With 128MB a busy day's indexes do not fit, and sessions write out each other's pages.
        ("shared_buffers", "512MB"),
        // Keys are random: after each checkpoint nearly every row writes a whole page of its index to the log once more. Under
        // load the default of 1GB means a checkpoint every few seconds, and more than half of the log is such pages.
        ("max_wal_size", "4GB"),
        // Every commit waits while a new file of the log is filled with zeros.
        ("wal_init_zero", "off"),
        ("max_connections", "60"),
        // Our queries are short or few: compiling them costs more than it saves.
        ("jit", "off"),
        // A query whose client is gone ends within half a second, instead of holding its locks to the end.
        ("client_connection_check_interval", "500ms"),
    ]

    /// Given on the command line, where postgresql.conf cannot undo it: no one but us reaches the server, and nothing
    /// that devices sent ends up in its log.
    ///
    /// An error's text and its DETAIL hold values ("Key (id)=(…) already exists"), a logged statement and its
    /// parameters do, and so does the LOG line about a crashed backend ("Failed process was running: …"). `fatal` is
    /// the lowest level above them all; FATAL and PANIC are about sessions and the server ("could not write to file",
    /// "database does not exist"). At `panic` a server that refuses to start would not say why.
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

    /// Settings as the text of `pg_ctl -o`, which a shell reads; of two with one name the later wins.
    static func options(_ settings: [(name: String, value: String)]) -> String {
        settings.map { "-c \(quote("\($0.name)=\($0.value)", escape: "'\\''"))" }.joined(separator: " ")
    }

    /// The initial settings as lines of postgresql.conf.
    static func file() -> String {
        "\n# Widget Census: set when this cluster was made; change them as you like.\n"
            + initial.map { "\($0.name) = \(quote($0.value, escape: "''"))\n" }.joined()
    }

    private static func quote(_ text: String, escape: String) -> String {
        // By scalars: a mark and the accent after it are one `Character`.
        "'" + text.unicodeScalars.map { $0 == "'" ? escape : String($0) }.joined() + "'"
    }
}
