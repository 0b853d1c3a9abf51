internal import CensusCore

/// When to check set-aside batches for erased devices, when to retry them, and what to log about each.
///
/// A pure value: ``Drainer`` owns it and carries out its decisions.
struct RetryState {
    typealias Instant = ContinuousClock.Instant

    /// The longest time before a retry.
    static let longestRest: Duration = .seconds(3_600)

    private let sweepInterval: Duration
    private let firstRest: Duration
    private var sweptAt: Instant?
    /// Nil: at the next check. The pause doubles each time, up to ``longestRest``.
    private var retriesAt: Instant?
    private var rest: Duration
    /// The apps at the last check.
    private var apps: [Int32: Text]?
    /// The last reason of each set-aside batch.
    private var reasons: [Int64: String] = [:]

    /// - Parameters:
    ///   - sweepInterval: the time between two checks for erased devices.
    ///   - firstRest: the time before the first retry.
    init(sweepInterval: Duration, firstRest: Duration) {
        self.sweepInterval = sweepInterval
        self.firstRest = firstRest
        rest = firstRest
    }

    /// - Returns: whether to log the reason, which is done once, however often the batch is retried.
    mutating func isNews(_ reason: String, settingAside id: Int64, at now: Instant) -> Bool {
        if retriesAt == nil { retriesAt = now + rest }
        return reasons.updateValue(reason, forKey: id) != reason
    }

    /// - Returns: whether to check for erased devices now; if so, the next check is due an interval later.
    mutating func sweeps(at now: Instant) -> Bool {
        guard sweptAt.map({ $0 + sweepInterval < now }) ?? true else { return false }
        sweptAt = now
        return true
    }

    /// Decides about a retry. A set-aside batch can be stored later, when a restore is complete, its app is back, or a fault is
    /// fixed.
    ///
    /// - Returns: whether to retry: at once if the list of apps has changed, otherwise after a pause.
    mutating func retries(knowing known: [Int32: Text], at now: Instant) -> Bool {
        defer { apps = known }
        let areOthers = apps.map { $0 != known } ?? false
        guard areOthers || retriesAt.map({ $0 <= now }) ?? true else { return false }
        rest = areOthers ? firstRest : min(rest * 2, RetryState.longestRest)
        retriesAt = nil
        return true
    }

    /// No batch is set aside any more, so the next one waits only for the first pause.
    mutating func nothingIsSetAside() { (retriesAt, rest, reasons) = (nil, firstRest, [:]) }
}
