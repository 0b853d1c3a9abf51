import CensusCore
import CensusStore
import Fleet
import SeededRandom

/// One device id during a trial: what the server must know about it, and which answer its app uses.
struct TrialDevice: Sendable {
    /// An answer as a client keeps it.
    struct Kept: Sendable {
        var hides: Set<String>
        var report: String?
        var validUntil: Timestamp?
    }

    /// The answer that the server must give at a moment.
    struct Expected: Sendable {
        var device: String
        var at: Timestamp
        var answers: [String: String]
        var reasons: [String: String]
        var report: String?
        var validUntil: String?
    }

    let script: DeviceScript
    /// The newest of the reports that were committed.
    private var last: DeviceStory.Report?
    private(set) var isForgotten = false
    private var kept: Kept?
    private var random: Seeded

    init(_ script: DeviceScript, seed: UInt64) {
        self.script = script
        random = Seeded(seed).derived(for: "asking").derived(for: script.device)
    }

    mutating func committed(_ batch: Batch) {
        guard !isForgotten else { return }
        for case .success(let event) in batch.events {
            guard let report = script.reports.first(where: { $0.id == event.id }) else { continue }
            if last.map({ $0.at < report.at }) ?? true { last = report }
        }
    }

    mutating func forgot() {
        isForgotten = true
        last = nil
    }

    /// When the device asks after a step: once a day at the same hour, until its next batch arrives.
    ///
    /// - Returns: the first time, and how often; nil if the device does not ask before its next step.
    mutating func asks(after step: Int) -> (first: Timestamp, days: Int, until: Timestamp)? {
        let at = script.steps[step].at
        let until = step + 1 < script.steps.count ? script.steps[step + 1].at : script.end
        let first = at + .seconds(1 + Int64(random.below(86_399)))
        guard first >= until else {
            let days = Int((until - first).components.seconds / 86_400) + 1
            return (first, days, until)
        }
        // At a moment in between, which does not count as another day.
        let length = until - at
        guard length > .milliseconds(2), random.chance(30) else { return nil }
        return (at + .microseconds(1 + Int64(random.fraction() * Double(length.microseconds - 2))), 0, until)
    }

    /// Computes all answers from one read of the store, and checks them against the truth.
    ///
    /// - Parameter spots: one read in this many is compared with the server's answer.
    mutating func judge(
        _ asks: (first: Timestamp, days: Int, until: Timestamp), _ state: DeviceState, window: ActivityWindow,
        kinds: [KindRecord], spots: Int, tally: inout GalleryTally
    ) -> Expected? {
        tally.readings += 1
        tally.deviceDays += asks.days
        for day in 0..<max(1, asks.days) {
            let now = asks.first + .days(Int64(day))
            let policy = DeviceGalleryPolicy(state, window: window, now: now)
            judge(policy, kinds, now, window, isCounted: asks.days > 0, &tally)
        }
        guard random.below(spots) == 0 else { return nil }
        let span = (asks.until - asks.first).microseconds
        let now = asks.first + .microseconds(Int64(random.fraction() * Double(max(span - 1, 0))))
        return expected(DeviceGalleryPolicy(state, window: window, now: now), kinds, now)
    }

    private mutating func judge(
        _ policy: DeviceGalleryPolicy, _ kinds: [KindRecord], _ now: Timestamp, _ window: ActivityWindow,
        isCounted: Bool, _ tally: inout GalleryTally
    ) {
        let reasons = kinds.compactMap { kind in
            policy.reason(kind: kind.kind, lifecycle: kind.lifecycle).map { (kind: kind.kind, reason: $0) }
        }
        if kept == nil || random.chance(30) {
            kept = Kept(
                hides: Set(reasons.filter { $0.reason.answer == .hide }.map(\.kind)), report: policy.report?.id,
                validUntil: policy.validUntil)
        }
        let newest = script.newestReport(at: now)
        let isRecent = last.map { window.end(lastHeard: $0.at) > now } ?? false
        for (kind, reason) in reasons {
            if reason.answer == .hide, last?.kinds.contains(kind) ?? true {
                tally.wrongHides += 1
                tally.note(
                    "phone \(script.phone), device \(script.device), \(now): told to hide \(kind), which it held at "
                        + "its last report \(last?.id ?? "(none)")")
            }
            let hides = kept.map { $0.hides.contains(kind) && isGood($0, now, newest) } ?? false
            if hides, newest?.kinds.contains(kind) ?? true {
                tally.wronglyHidden += 1
                tally.note("phone \(script.phone), device \(script.device), \(now): its app hid \(kind), which it held")
            }
            guard isCounted, isRecent, last?.kinds.contains(kind) == false else { continue }
            // It was placed after the report, and an event has said so.
            if reason == .holdsIt, script.holds(kind, at: now) { continue }
            tally.lacking += 1
            tally.answers[reason, default: 0] += 1
            if hides { tally.hiddenByClients += 1 }
        }
    }

    /// Whether the contract still lets the app use its last answer.
    private func isGood(_ kept: Kept, _ now: Timestamp, _ newest: DeviceStory.Report?) -> Bool {
        guard let until = kept.validUntil, let report = kept.report else { return false }
        return now < until && report == newest?.id
    }

    private func expected(_ policy: DeviceGalleryPolicy, _ kinds: [KindRecord], _ now: Timestamp) -> Expected {
        var expected = Expected(device: script.device, at: now, answers: [:], reasons: [:])
        for kind in kinds {
            let reason = policy.reason(kind: kind.kind, lifecycle: kind.lifecycle)
            expected.answers[kind.kind] = (reason?.answer ?? .show).rawValue
            expected.reasons[kind.kind] = reason?.rawValue
        }
        expected.report = policy.report?.id
        expected.validUntil = policy.validUntil.flatMap { $0 > now ? $0.description : nil }
        return expected
    }
}
