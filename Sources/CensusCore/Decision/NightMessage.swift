/// The `data` of a webhook message about nights that fail, or no longer do.
public struct NightMessage: Hashable, Sendable {
    public var appID: String
    /// What failed for the app and why, without data; empty: nothing any more.
    public var failures: [String]

    public init(appID: String, failures: [String]) {
        self.appID = appID
        self.failures = failures
    }

    func writeMembers(to json: inout JSONBuilder) {
        json.member("app_id", appID)
        json.member("failures", failures)
    }

    var summary: String {
        failures.isEmpty
            ? "The nightly job succeeds again for \(appID)."
            : "The nightly job failed for \(appID), so numbers and verdicts are out of date: "
                + failures.joined(separator: "; ") + "."
    }
}
