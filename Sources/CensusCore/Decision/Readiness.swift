/// The verdict on whether a legacy kind can be dropped: each condition with its figure and its limit. See docs/why/decision.md.
///
/// An active kind is judged as if it were marked today and hidden from the gallery.
public struct Readiness: Hashable, Sendable {
    public enum Verdict: String, Hashable, Sendable, Decodable, CaseIterable {
        case ready
        case notReady = "not ready"
        /// Evidence is missing, so the kind is neither ready nor not ready.
        case unknown
        case retired
    }

    /// One condition of the verdict.
    public struct Condition: Hashable, Sendable, Encodable {
        public enum Name: String, Hashable, Sendable, CaseIterable, Encodable {
            case counted, fresh, coverage, lists, holders, days, replacement, age, loss
        }

        public var name: Name
        public var isMet: Bool
        /// The current state, with its number.
        public var figure: String
        /// What the condition requires.
        public var limit: String

        /// Whether the verdict is unknown without it.
        var isEvidence: Bool { name == .counted || name == .fresh || name == .coverage || name == .lists }
    }

    /// The share of active devices that might hold the kind, in the terms Chrome uses for features it removes.
    public enum Band: String, Hashable, Sendable {
        case large, elevated, small, trivial

        /// Without active devices the share is infinite, or NaN if there are no holders either.
        init(holders: Int, active: Int) {
            let share = Double(holders) / Double(active)
            self = share >= 0.001 ? .large : share >= 0.0003 ? .elevated : share >= 0.00001 ? .small : .trivial
        }
    }

    public let verdict: Verdict
    /// In the order that pages list them.
    public let conditions: [Condition]
    public let limit: Int
    public let band: Band
    public let forecast: BaseForecast
    /// Nil if the kind is retired, or if no day that is yet to come is needed.
    public let earliest: EarliestReadiness?

    /// The replacement kind must have shipped in this many versions.
    public static let replacementVersions = 2
    /// A kind must have been marked for this many days.
    public static let markedDays = 90

    public init(_ figures: ReadinessFigures) {
        limit = figures.limits.devices(active: figures.active)
        band = Band(holders: figures.holders, active: figures.active)
        conditions = figures.conditions(limit: limit)
        forecast = figures.forecast(figures.premise)
        earliest = figures.lifecycle == .retired ? nil : EarliestReadiness(figures)
        if figures.lifecycle == .retired {
            verdict = .retired
        } else if conditions.contains(where: { $0.isEvidence && !$0.isMet }) {
            verdict = .unknown
        } else {
            verdict = conditions.allSatisfy(\.isMet) ? .ready : .notReady
        }
    }

    /// The verdict in one or more sentences: the unmet conditions, or all figures if the kind is ready.
    public var reason: String {
        switch verdict {
        case .retired: "A person retired it."
        case .ready: conditions.map { $0.figure + "." }.joined(separator: " ")
        case .notReady, .unknown:
            conditions.filter { !$0.isMet && (verdict == .notReady || $0.isEvidence) }
                .map { "\($0.figure); \($0.limit)." }.joined(separator: " ")
        }
    }
}

/// An app's settings for when a legacy kind is ready to be dropped.
public struct ReadinessLimits: Hashable, Sendable {
    /// At most this many devices still hold it ...
    public var devices: Int
    /// ... and at most this share of the active ones, 0...1, but three devices are always allowed ...
    public var share: Double
    /// ... on this many consecutive days ...
    public var days: Int
    /// ... while at least this share of the active devices reports, 0...1.
    public var coverage: Double

    /// The floor of the limit: even an app with a thousand phones must be able to drop a kind.
    static let fewest = 3

    public init(devices: Int = 1_000, share: Double = 0.0003, days: Int = 14, coverage: Double = 0.9) {
        self.devices = devices
        self.share = share
        self.days = days
        self.coverage = coverage
    }

    /// These limits with those that are given in their place.
    package func with(devices: Int?, share: Double?, days: Int?, coverage: Double?) -> ReadinessLimits {
        ReadinessLimits(
            devices: devices ?? self.devices, share: share ?? self.share, days: days ?? self.days,
            coverage: coverage ?? self.coverage)
    }

    public func devices(active: Int) -> Int {
        min(devices, max(ReadinessLimits.fewest, devicesOfShare(active)))
    }

    /// Binary fractions can fall a little short: 0.0003 * 20,000 is 5.999.
    private func devicesOfShare(_ active: Int) -> Int { Int((share * Double(active) + 1e-6).rounded(.down)) }

    /// Which setting the limit follows from, in one or two sentences.
    public func origin(active: Int) -> String {
        let (ofShare, limit) = (devicesOfShare(active), devices(active: active))
        let share = "\(self.share.asPercentage) of \(active.counted("active device")) (`--limit-share`)"
        let why =
            if devices <= max(ReadinessLimits.fewest, ofShare) {
                " (`--limit`). \(share) would be \(ofShare.grouped)"
            } else if ofShare >= ReadinessLimits.fewest {
                ": \(share), which is less than \(devices.grouped) (`--limit`)"
            } else {
                ", as in every small app: \(share) would be \(ofShare.grouped)"
            }
        let permitted = limit == 1 ? "1 device may" : "\(limit.grouped) devices may"
        return "At most \(permitted) still have it\(why). `widget-census apps set` changes these settings."
    }

    /// Options of `kinds show` that allow as many holders as there are, or more than now.
    package func larger(active: Int, holders: Int) -> ShellCommand {
        let needed = max(devices(active: active) + 1, holders)
        let limit: ShellCommand = devices < needed ? " --limit \(needed)" : ""
        guard max(ReadinessLimits.fewest, devicesOfShare(active)) < needed else { return limit }
        let shares = ["0.1%", "0.3%", "1%", "3%", "10%", "30%"].filter { share in
            var larger = self
            larger.share = Double(share: share) ?? 1
            return max(ReadinessLimits.fewest, larger.devicesOfShare(active)) >= needed
        }
        return limit + " --limit-share \(shares.first ?? "100%")"
    }

    /// Where the limit comes from.
    func explanation(active: Int) -> String {
        let share = devicesOfShare(active)
        if devices <= max(ReadinessLimits.fewest, share) { return "a fixed number" }
        return share >= ReadinessLimits.fewest
            ? "\(self.share.asPercentage) of \(active.counted("active device"))"
            : "the floor; \(self.share.asPercentage) of \(active.counted("active device")) would be \(share)"
    }
}

/// The share of an app's devices whose state is known: the evidence for verdicts and preflight.
struct Coverage: Hashable, Sendable {
    var active: Int
    /// How many of the active ones sent a successful report within the window.
    var reporting: Int
    /// Devices not among the active ones because they are waiting to be reconciled, set aside, or had every event refused.
    var unknown: Int
    /// Active devices with something that is waiting to be reconciled, so what they hold now isn't known.
    var waiting = 0

    var all: Int { active + unknown }

    /// How many devices are known to hold what they reported.
    var known: Int { max(0, reporting - waiting) }

    /// The known share of all devices, 0...1; nil without devices.
    var share: Double? { all > 0 ? Double(known) / Double(all) : nil }

    /// How many devices there are, in words: "at most", because some of the waiting ones might be among the active ones.
    func all(called noun: String) -> String {
        unknown == 0 ? all.counted(noun) : "at most \(all.counted("device"))"
    }

    /// The end of a sentence about unknown devices; empty if there are none.
    var remainder: String {
        let rest = unknown + waiting
        return rest == 0 ? "" : "; \(rest.grouped) \(Coverage.why(rest))"
    }

    /// Why this many devices are unknown, with a verb.
    static func why(_ count: Int) -> String {
        count == 1
            ? "is waiting to be reconciled, set aside, or had every event refused"
            : "are waiting to be reconciled, set aside, or had every event refused"
    }
}

/// What somebody decided about a kind. `retire_ready` is not a decision: it is computed from the numbers.
public enum Lifecycle: String, Hashable, Sendable, Decodable, CaseIterable {
    case active, legacy, retired
}
