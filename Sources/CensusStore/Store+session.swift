internal import Postgres

extension Store {
    /// All the settings our statements rely on, whatever the server's file, the database or the role say.
    ///
    /// default_transaction_read_only is not among them: it is set on purpose, also by a server whose disk is nearly full.
    /// Writes then fail with 25006, which is reported as such.
    static let sessionSettings: [String: SessionSetting] = [
        // An acknowledged event survives a crash of the server. `local` gives up only standbys; the others wait for more.
        "synchronous_commit": SessionSetting("on", or: ["local", "remote_write", "remote_apply"]),
        // A client that was killed or cut off must not keep its locks, nor commit work that nobody waits for.
        "client_connection_check_interval": "500ms",
        "tcp_keepalives_idle": "30",
        "tcp_keepalives_interval": "10",
        "tcp_keepalives_count": "3",
        // Between two statements of a transaction we compute, for seconds. Without a limit, a session whose client is
        // unreachable keeps its locks for hours, and others wait that long for those rows. Appending has a shorter limit.
        "idle_in_transaction_session_timeout": "60s",
        // We set limits per statement: nightly counting takes its time.
        "statement_timeout": "0",
        "lock_timeout": "0",
        "transaction_timeout": "0",
        "idle_session_timeout": "0",
        "exit_on_error": "off",
        // Single statements are transactions, too.
        "default_transaction_isolation": "read committed",
        "default_transaction_deferrable": "off",
        // Every name in our statements has its schema.
        "search_path": "pg_catalog",
        // How texts become values, and values texts.
        "client_encoding": "UTF8",
        "standard_conforming_strings": "on",
        "backslash_quote": "safe_encoding",
        "array_nulls": "on",
        "transform_null_equals": "off",
        "datestyle": "ISO, MDY",
        "intervalstyle": "postgres",
        "timezone": "UTC",
        "bytea_output": "hex",
        "extra_float_digits": "1",
        "lc_numeric": "C",
        "quote_all_identifiers": "off",
        // With row-level policies a count would silently be too low: an error is better.
        "row_security": "off",
        // Only a superuser can change it, and only for a superuser's role can it be anything else.
        "session_replication_role": SessionSetting("origin", or: ["origin"]),
        "restrict_nonsystem_relation_kind": "",
        // Migrations make plain tables, with their functions checked.
        "default_table_access_method": "heap",
        "check_function_bodies": "on",
        // `create temporary table if not exists` raises a notice every time.
        "client_min_messages": "warning",
    ]
}
