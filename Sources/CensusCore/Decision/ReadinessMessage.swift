/// The `data` of a webhook message about a legacy kind that became ready to be retired, or no longer is.
public struct ReadinessMessage: Hashable, Sendable {
    public var appID: String
    public var surface: Surface
    @Bytewise public var kind: String
    public var verdict: Readiness.Verdict
    /// The last day that was judged, in the app's zone.
    public var day: Day
    /// Active devices that hold it, at least and at most.
    public var certain: Int
    public var possible: Int
    /// Silent devices that held it when they were last heard from.
    public var silent: Int
    public var limit: Int
    /// The verdict's reason in sentences.
    public var reason: String
    /// Other surfaces on which the kind is legacy and not ready. While there are some, it can't be retired as a whole.
    public var others: [String]

    public init(
        appID: String, surface: Surface, kind: String, day: Day, figures: ReadinessFigures, readiness: Readiness,
        others: [String] = []
    ) {
        self.appID = appID
        self.surface = surface
        self.kind = kind
        self.verdict = readiness.verdict
        self.day = day
        self.certain = figures.certain
        self.possible = figures.possible
        self.silent = figures.silent
        self.limit = readiness.limit
        self.reason = readiness.reason
        self.others = others
    }

    var isReady: Bool { verdict == .ready }

    func writeMembers(to json: inout JSONBuilder) {
        json.member("app_id", appID)
        json.member("surface", surface.rawValue)
        json.member("kind", kind)
        json.member("verdict", verdict.rawValue)
        json.member("day", day.description)
        json.member("devices_certain", certain)
        json.member("devices_possible", possible)
        json.member("devices_silent", silent)
        json.member("limit_devices", limit)
        json.member("reason", reason)
    }

    var summary: String {
        let name = kind + surface.rawValue.surfaceInBrackets
        guard isReady else { return "\(name) is no longer ready to be retired. \(reason)" }
        guard !others.isEmpty else { return "\(name) is ready to be retired. \(reason)" }
        return "\(kind) is ready on the surface \(surface.rawValue), but not on \(others.joined(separator: " and ")), "
            + "so it can't be retired yet. \(reason)"
    }
}
