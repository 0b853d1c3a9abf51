internal import CensusCore

extension Refusal {
    /// Every code on the wire.
    static let codes = [
        "invalid_id", "invalid_time", "too_old", "in_future", "unknown_type", "invalid_widget", "invalid_report",
        "too_long", "too_many_kinds",
    ]
}
