extension Problem {
    /// Every code on the wire; one that is missing here is counted as "other".
    static let codes = [
        "other", "all_refused", "body_cut_short", "body_too_large", "broken_request", "invalid_device",
        "invalid_envelope", "invalid_gzip", "invalid_json", "method_not_allowed", "no_device", "no_events", "no_key",
        "not_found", "overloaded", "queue_full", "rate_limited", "revoked_key", "store_away", "store_unfit", "too_deep",
        "too_many_events", "too_slow", "unknown_key", "unstorable", "unsupported_encoding", "wrong_app",
        "wrong_content_type", "wrong_role", "wrong_schema",
    ]
}
