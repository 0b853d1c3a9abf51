internal import Postgres

extension Store {
    /// All that our statements rely on, whatever the server's file, the database or the role say.
    ///
    /// Not among them: default_transaction_read_only. Who sets it, also a server whose disk is nearly full, means it; then
    /// what writes fails with 25006, which is told as such.
    static let sessionSettings: [String: SessionSetting] = [
        // An acknowledged event survives a crash of the server. `local` gives up standbys only, and the others wait for more.
        "synchronous_commit": SessionSetting("on", or: ["local", "remote_write", "remote_apply"]),
        // A client that was killed, or that the network has forgotten, must not go on holding locks, nor commit what nobody
        // waits for.
        "client_connection_check_interval": "500ms",
        "tcp_keepalives_idle": "30",
        "tcp_keepalives_interval": "10",
        "tcp_keepalives_count": "3",
        // Between two statements of a transaction we compute, for seconds. Without a limit a session whose client is out
        // of reach keeps its locks for hours, and who needs those rows waits as long. Appending has a shorter one.
        "idle_in_transaction_session_timeout": "60s",
        // Limits are ours, by statement: what is counted at night takes its time.
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
        // With policies a number would be too low without a word: better an error.
        "row_security": "off",
        // Only a superuser can change it, and only for a superuser's role it can be anything else.
        "session_replication_role": SessionSetting("origin", or: ["origin"]),
        "restrict_nonsystem_relation_kind": "",
        // What migrations make are plain tables, with their functions checked.
        "default_table_access_method": "heap",
        "check_function_bodies": "on",
        // `create temporary table if not exists` speaks up every time.
        "client_min_messages": "warning",
    ]
}
