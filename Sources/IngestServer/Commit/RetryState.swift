internal import CensusCore

/// When batches that are set aside are compared with the forgotten devices, when they are tried again, and what is logged
/// about each.
///
/// A pure value: ``Drainer`` owns it and acts on what it says.
struct RetryState {
    typealias Instant = ContinuousClock.Instant

    /// The longest time before a retry.
    static let longestRest: Duration = .seconds(3_600)

    private let sweepInterval: Duration
    private let firstRest: Duration
    private var sweptAt: Instant?
    /// Nil: at the next check. The pause before it doubles each time, up to ``longestRest``.
    private var retriesAt: Instant?
    private var rest: Duration
    /// The apps at the last check.
    private var apps: [Int32: Text]?
    /// The last reason of each batch that is set aside.
    private var reasons: [Int64: String] = [:]

    /// - Parameters:
    ///   - sweepInterval: how often the devices of batches that are set aside are compared with the forgotten ones.
    ///   - firstRest: the time before they are first tried again.
    init(sweepInterval: Duration, firstRest: Duration) {
        self.sweepInterval = sweepInterval
        self.firstRest = firstRest
        rest = firstRest
    }

    /// - Returns: whether to log the reason: once, however often the batch is tried.
    mutating func isNews(_ reason: String, settingAside id: Int64, at now: Instant) -> Bool {
        if retriesAt == nil { retriesAt = now + rest }
        return reasons.updateValue(reason, forKey: id) != reason
    }

    /// - Returns: whether to compare with the forgotten devices now; the next time is an interval later.
    mutating func sweeps(at now: Instant) -> Bool {
        guard sweptAt.map({ $0 + sweepInterval < now }) ?? true else { return false }
        sweptAt = now
        return true
    }

    /// A batch that is set aside may be stored later: when a restore is complete, its app is back, or a fault is mended.
    ///
    /// - Returns: whether to try again: at once when the apps have changed, otherwise after a pause.
    mutating func retries(knowing known: [Int32: Text], at now: Instant) -> Bool {
        defer { apps = known }
        let areOthers = apps.map { $0 != known } ?? false
        guard areOthers || retriesAt.map({ $0 <= now }) ?? true else { return false }
        rest = areOthers ? firstRest : min(rest * 2, RetryState.longestRest)
        retriesAt = nil
        return true
    }

    /// Nothing is set aside any more: the next batch that is set aside waits for the first pause.
    mutating func nothingIsSetAside() { (retriesAt, rest, reasons) = (nil, firstRest, [:]) }
}
