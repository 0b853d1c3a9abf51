import Fleet
import SeedTesting
import SeededRandom
import Testing

@testable import CensusCore

/// Compares what a device may hide with a second implementation: a scan of the raw observations that knows none of the
/// fold's rules. A failure names its seed.
@Suite struct `Gallery properties` {
    static let chunks = Seeds.of(0..<4_000, by: 500)

    @Test(arguments: chunks)
    func
        `a kind is hidden exactly when the newest report lacks it, no later event names it and no other surface has it`(
            seeds: Range<UInt64>
        )
    {
        var (lacking, hidden) = (0, 0)
        for seed in seeds {
            let history = RandomHistory(seed).onSystemsThatHide
            var random = Seeded(seed ^ 0x6A11)
            let sorted = history.observations.sorted()
            let heard = Array(sorted.prefix(random.below(sorted.count) + 1))
            guard let last = heard.last else { continue }
            let now = last.at + .hours(Int64(random.pick([0, 1, 30, 24 * 7, 24 * 40])))
            let state = history.fold(heard.shuffled(using: &random))
            let policy = DeviceGalleryPolicy(state, window: history.window, now: now)
            let scan = GalleryScan(heard, window: history.window, now: now)
            for kind in GalleryScan.kinds {
                let answer = policy.answer(kind: kind, lifecycle: random.pick([.legacy, .retired]))
                let isElsewhere = state.surfaces.contains { $0.key != .widget && $0.value.possible(ofKind: kind) > 0 }
                let expected: GalleryAnswer = scan.mayHide(kind) && !isElsewhere ? .hide : .show
                #expect(answer == expected, "seed \(seed), kind \(kind)")
                #expect(policy.answer(kind: kind, lifecycle: .active) == .show)
                guard scan.lacks(kind), !isElsewhere else { continue }
                lacking += 1
                if answer == .hide { hidden += 1 }
            }
        }
        // Most devices heard from within the window whose newest report lacks the kind are told to hide it.
        #expect(lacking > 300)
        #expect(hidden * 2 > lacking, "\(hidden) of \(lacking)")
    }

    /// If its clock is set back afterwards, a later list is dated earlier, and passes for the older one.
    @Test func `a list dated ahead by more than the clock tolerance hides nothing`() {
        var device = Device.thatHides()
        device.reports([:], .day(1, hour: 10))
        for (minutes, answer) in [(5, .hide), (6, .show)] as [(Int64, GalleryAnswer)] {
            let policy = device.gallery(at: .day(1, hour: 10) - .minutes(minutes))
            #expect(policy.answer(kind: "weather", lifecycle: .legacy) == answer)
        }
    }

    /// Removed once and listed twice; removed without its family; on Android removed by its instance.
    @Test func `a removal since the last report hides nothing`() {
        for (claimed, removed) in [
            ([Placement.weather: 1], Placement.weather), ([.weather: 2], .weather),
            ([.weather("Prague"): 1], Placement(kind: "weather")),
        ] {
            for minute in [20, 50] as [Int64] {
                var device = Device.thatHides()
                device.reports(claimed, .day(1, hour: 10))
                device.removes(removed, .day(1, hour: 10, minute: minute))
                device.removes(removed, .day(1, hour: 11))
                #expect(device.gallery(at: .day(2)).answer(kind: "weather", lifecycle: .legacy) == .show)
                device.reports([:], .day(1, hour: 12))
                #expect(device.gallery(at: .day(2)).answer(kind: "weather", lifecycle: .legacy) == .hide)
            }
        }
        for removed in [
            Placement(kind: "weather", instance: "5"), Placement(kind: "weather"),
        ] {
            var device = Device.thatHides(.android)
            device.reports([Placement(kind: "weather", family: "2x2", instance: "5"): 1], .day(1, hour: 10))
            device.removes(removed, .day(1, hour: 11))
            #expect(device.gallery(at: .day(2)).answer(kind: "weather", lifecycle: .legacy) == .show)
        }
    }

    @Test func `a kind installed and removed since the report is shown until the next report`() {
        for platform in [Platform.ios, .android] {
            var device = Device.thatHides(platform)
            let placement = Placement(kind: "weather", family: "2x2", instance: platform == .android ? "5" : nil)
            device.reports([.search: 1], .day(1, hour: 10))
            #expect(device.gallery(at: .day(2)).answer(kind: "weather", lifecycle: .legacy) == .hide)
            device.adds(placement, .day(1, hour: 11))
            device.removes(placement, .day(1, hour: 12))
            #expect(device.gallery(at: .day(2)).answer(kind: "weather", lifecycle: .legacy) == .show)
            device.reports([.search: 1], .day(1, hour: 13))
            #expect(device.gallery(at: .day(2)).answer(kind: "weather", lifecycle: .legacy) == .hide)
        }
    }

    @Test func `a kind that another surface holds is shown`() {
        var device = Device.thatHides()
        device.reports([.search: 1], .day(1, hour: 10))
        #expect(device.gallery(at: .day(2)).answer(kind: "weather", lifecycle: .legacy) == .hide)
        device.reports([Placement(kind: "weather"): 1], .day(1, hour: 11), on: .control)
        #expect(device.gallery(at: .day(2)).answer(kind: "weather", lifecycle: .legacy) == .show)
        #expect(device.gallery(at: .day(2)).answer(kind: "never heard of", lifecycle: .legacy) == .hide)
        device.reports([:], .day(1, hour: 12), on: .control)
        #expect(device.gallery(at: .day(2)).answer(kind: "weather", lifecycle: .legacy) == .hide)
        device.opens(Placement(kind: "weather"), .day(1, hour: 13), on: .today)
        #expect(device.gallery(at: .day(2)).answer(kind: "weather", lifecycle: .retired) == .show)
    }

    @Test func `instances restored since the report can be of any kind`() {
        var device = Device.thatHides(.android)
        device.reports([Placement(kind: "search", instance: "5"): 1], .day(1, hour: 10))
        device.restores(["5": "8", "6": "9"], .day(1, hour: 11))
        #expect(device.gallery(at: .day(2)).answer(kind: "weather", lifecycle: .legacy) == .show)
        device.reports([Placement(kind: "search", instance: "8"): 1], .day(1, hour: 12))
        #expect(device.gallery(at: .day(2)).answer(kind: "weather", lifecycle: .legacy) == .hide)
    }
}

/// What a device's raw observations say about hiding.
private struct GalleryScan {
    static let kinds = ["weather", "search", "caf\u{E9}", "cafe\u{301}", "Weather", "Search", "never heard of"]

    /// The newest successful list of widgets of any installation; nil when there is none.
    private var listed: [[UInt8]]?
    private var reportedBy: Pseudonym?
    private var reportedAt = Timestamp.day(0)
    private var named: [[UInt8]] = []
    private var hasRestored = false
    private var newestInstallation: Pseudonym?
    private var isCloned = false
    private let isRecent: Bool

    init(_ observations: [Observation], window: ActivityWindow, now: Timestamp) {
        var installations: [Pseudonym] = []
        let counted = observations.filter { $0.circumstances.channel == "production" }
        // At one instant, an ongoing installation comes first, and lists come before events that might follow them.
        var (current, begun): (Pseudonym?, Set<Pseudonym>) = (nil, [])
        for observation in counted.byInstant.flatMap({ instant in
            var order = current.map { [$0] } ?? []
            for observation in instant where !order.contains(observation.installation) {
                order.append(observation.installation)
                if begun.insert(observation.installation).inserted { current = observation.installation }
            }
            return order.flatMap { installation in
                let own = instant.filter { $0.installation == installation }
                return own.filter { $0.event.type == .widgetsReported }
                    + own.filter { $0.event.type != .widgetsReported }
            }
        }) {
            if observation.installation != installations.last {
                if installations.contains(observation.installation) { isCloned = true; continue }
                installations.append(observation.installation)
            }
            guard observation.surface == .widget else { continue }
            switch observation.event {
            case .reported(let claimed):
                let before = observation.at == reportedAt && reportedBy == observation.installation ? listed ?? [] : []
                listed = before + claimed.keys.map { Array($0.kind.utf8) }
                (reportedBy, reportedAt) = (observation.installation, observation.at)
                (named, hasRestored) = ([], false)
            case .happened(.removed, to: _), .readFailed, .appOpened: break
            case .happened(let act, to: _)
            where act.sign == .rendered && observation.circumstances.platform.isWidgetKit: break
            case .happened(_, to: let widget): named.append(Array(widget.kind.utf8))
            case .restored: hasRestored = hasRestored || !observation.circumstances.platform.isWidgetKit
            }
        }
        newestInstallation = installations.last
        isRecent = window.end(lastHeard: reportedAt) > now
    }

    /// Whether the newest report can be trusted and lacks the kind.
    func lacks(_ kind: String) -> Bool {
        guard let listed, !isCloned, isRecent, reportedBy == newestInstallation else { return false }
        return !listed.contains(Array(kind.utf8))
    }

    func mayHide(_ kind: String) -> Bool {
        lacks(kind) && !named.contains(Array(kind.utf8)) && !hasRestored
    }
}

extension RandomHistory {
    /// The same history on iOS 17.1, because a device on iOS 14 or an unknown version never hides anything.
    fileprivate var onSystemsThatHide: RandomHistory {
        var history = self
        history.observations = observations.map { observation in
            var observation = observation
            observation.circumstances.osVersion = "17.1"
            return observation
        }
        return history
    }
}

extension Device {
    fileprivate static func thatHides(_ platform: Platform = .ios) -> Device {
        var device = Device(platform)
        device.circumstances.osVersion = "17.1"
        return device
    }

    fileprivate func gallery(at now: Timestamp) -> DeviceGalleryPolicy {
        DeviceGalleryPolicy(state, window: window, now: now)
    }
}
