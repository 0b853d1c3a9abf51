import Testing

@testable import CensusCore

/// What a preflight decides exactly at each limit and under each rule, and how it words its doubts.
@Suite struct `Preflight verdict edge cases` {
    private static let today = Day(daysSince1970: 20_000)

    private static func kind(_ name: String) -> Manifest.Kind.ID { .init(surface: .widget, kind: Text(name)) }

    /// One kind per outcome of a change, named after the outcome.
    private static let coming = Manifest(
        appID: "a", appVersion: "2.0",
        kinds: [
            .init("adds", intent: "NewIntent"), .init("families", families: ["systemSmall"]),
            .init("intents", intent: "OtherIntent"), .init("single", intent: "City"),
        ])
    private static let alive = Manifest(
        appID: "a", appVersion: "1.0", kinds: [.init("adds", intent: .static), .init("unheld")])

    /// Every change except the last two hits one device.
    private func verdict(
        _ allowance: PreflightAllowance = .init(), allowsUnknown: Bool = false, accepting: [String] = []
    ) -> PreflightVerdict {
        let cells = [
            HeldCell(kind: Self.kind("adds"), appVersion: "1.0"),
            HeldCell(kind: Self.kind("families"), appVersion: "0.9"),
            HeldCell(kind: Self.kind("gone"), appVersion: "0.9"),
            HeldCell(kind: Self.kind("intents"), appVersion: "0.9"),
        ]
        let preflight = Preflight(Self.coming, alive: [Self.alive], cells: cells)
        return PreflightVerdict(
            preflight, of: Self.coming, base: PreflightBase(devicesActive: 10, devicesReporting: 9),
            counts: (0..<4).map { PreflightCount(changes: [$0], certainChanges: [$0], appVersion: "0.9", devices: 1) },
            minimumCoverage: 0.9, allowance: allowance, allowsUnknown: allowsUnknown,
            acknowledgements: accepting.map {
                .init(
                    fingerprint: Self.fingerprint(of: $0), maximumLoss: 1, until: Self.today, by: "anna", reason: "",
                    at: Timestamp(seconds: 0))
            }, today: Self.today, digest: Self.digest)
    }

    /// Twelve bytes; the first six distinguish the kinds.
    private static func digest(_ bytes: [UInt8]) -> [UInt8] {
        let sum = bytes.reduce(0 as UInt32) { $0 &* 31 &+ UInt32($1) }
        return (0..<6).map { UInt8(truncatingIfNeeded: sum >> ($0 * 4)) } + [1, 2, 3, 4, 5, 6]
    }

    private static func fingerprint(of kind: String) -> String {
        let rules: [String: PreflightRule] = [
            "families": .familyUnknown, "intents": .intentUnknown, "gone": .kindDropped,
        ]
        let change = PreflightChange(
            rules[kind] ?? .intentAdded, Self.kind(kind),
            new: kind == "intents" ? "OtherIntent" : kind == "adds" ? "NewIntent" : nil)
        return digest(change.identity(app: "a")).prefix(6).map { padded(String($0, radix: 16)) }.joined()
    }

    private static func padded(_ hex: String) -> String { hex.count == 1 ? "0" + hex : hex }

    @Test func `a finding's severity follows from its rule and its hits`() {
        let verdict = verdict()
        #expect(
            verdict.findings.map(\.change.kind.kind.text) == [
                "adds", "families", "gone", "intents", "single", "unheld",
            ])
        #expect(
            verdict.findings.map(\.change.rule) == [
                .intentAdded, .familyUnknown, .kindDropped, .intentUnknown, .unprefixedIntent, .kindDropped,
            ])
        #expect(verdict.findings.map(\.severity) == [.warn, .unknown, .fail, .unknown, .warn, .none])
        #expect(verdict.findings.map(\.loss.devicesPossible) == [1, 1, 1, 1, 0, 0])
        #expect(verdict.total.devicesPossible == 1, "only losses count")
        #expect(verdict.outcome == .fail)
    }

    @Test func `an allowed loss leaves unknown findings unknown`() {
        let verdict = verdict(.init(devices: 1))
        #expect(verdict.findings.map(\.severity) == [.warn, .unknown, .allowed, .unknown, .warn, .none])
        #expect(
            verdict.doubts == [
                "the family of families is unknown on 1 device",
                "the intent of intents is unknown on 1 device",
            ])
        #expect(verdict.outcome == .unknown)
        #expect(verdict.exitStatus == 3)
        #expect(self.verdict(.init(devices: 1), allowsUnknown: true).exitStatus == 0)
    }

    @Test func `unknown findings can be acknowledged, too`() {
        let verdict = verdict(accepting: ["families", "intents", "gone", "adds"])
        #expect(
            verdict.findings.map(\.severity) == [.warn, .acknowledged, .acknowledged, .acknowledged, .warn, .none])
        #expect(verdict.doubts.isEmpty)
        #expect(verdict.outcome == .pass)
        #expect(verdict.total.devicesPossible == 1)
        #expect(verdict.unacknowledged == PreflightLoss())
    }

    @Test func `seven rules find losses`() {
        #expect(
            PreflightRule.allCases.filter { $0.loss == .widget } == [
                .kindDropped, .kindRenamed, .providerMoved, .allFamiliesDropped, .familyDropped, .intentChanged,
            ])
        #expect(PreflightRule.allCases.filter { $0.loss == .settings } == [.intentDropped])
        #expect(PreflightRule.allCases.filter(\.isLossy).count == 7)
    }

    @Test func `an allowance rounds down, the stricter of two applies, and no allowance means zero`() {
        #expect(PreflightAllowance().limit(ofActive: 1_000) == 0)
        #expect(PreflightAllowance(devices: 5).limit(ofActive: 1) == 5)
        #expect(PreflightAllowance(share: 0.01).limit(ofActive: 299) == 2)
        #expect(PreflightAllowance(devices: 3, share: 0.01).limit(ofActive: 299) == 2)
        #expect(PreflightAllowance(devices: 1, share: 0.01).limit(ofActive: 299) == 1)
    }

    @Test func `the exit status follows from the outcome`() {
        let manifest = Self.coming
        for allowsUnknown in [false, true] {
            let undecided = PreflightVerdict(undecided: manifest, because: "away", allowsUnknown: allowsUnknown)
            #expect(undecided.exitStatus == (allowsUnknown ? 0 : 3))
            #expect(undecided.isPassed == allowsUnknown)
            #expect((undecided.appID, undecided.appVersion) == ("a", "2.0"))
            #expect(
                (undecided.limit, undecided.total, undecided.unacknowledged) == (0, PreflightLoss(), PreflightLoss()))
            #expect(undecided.doubts == ["away"])
            let invalid = PreflightVerdict(invalid: nil, because: "no", allowsUnknown: allowsUnknown)
            #expect(invalid.exitStatus == 2)
            #expect(!invalid.isPassed)
            #expect((invalid.appID, invalid.appVersion) == ("", ""))
            let broken = PreflightVerdict([.init(pointer: "/app", message: "is missing")], allowsUnknown: allowsUnknown)
            #expect(broken.exitStatus == 2)
            #expect(broken.doubts == ["/app: is missing"])
            #expect(verdict(allowsUnknown: allowsUnknown).exitStatus == 1)
        }
    }

    private func dropped(
        _ base: PreflightBase, counts: [PreflightCount] = [], _ accepted: [PreflightAcknowledgement] = []
    ) -> PreflightVerdict {
        let empty = Manifest(appID: "a", appVersion: "2.0", kinds: [])
        return PreflightVerdict(
            Preflight(empty, alive: [], cells: [HeldCell(kind: Self.kind("gone"), appVersion: "0.9")]), of: empty,
            base: base, counts: counts, minimumCoverage: 0.9, allowance: .init(), acknowledgements: accepted,
            today: Self.today, digest: Self.digest)
    }

    @Test func `a verdict needs reports from 90% of the devices`() {
        #expect(dropped(PreflightBase(devicesActive: 1_000, devicesReporting: 900)).doubts.isEmpty)
        #expect(
            dropped(PreflightBase(devicesActive: 1_000, devicesReporting: 899)).doubts
                == ["899 of 1,000 active devices (89%) reported within the window; at least 90% must"])
        #expect(
            dropped(PreflightBase(devicesActive: 1_000, devicesReporting: 900, devicesUnknown: 1)).doubts == [
                "900 of at most 1,001 devices (89%) reported within the window; at least 90% must; "
                    + "1 is waiting to be reconciled, set aside, or had every event refused"
            ])
    }

    @Test func `nine tenths of the devices must list the surface of each change`() {
        let manifest = Manifest(appID: "a", appVersion: "1.0", kinds: [.init("toggle", surface: .control)])
        let empty = Manifest(appID: "a", appVersion: "2.0", kinds: [])
        func doubts(_ lists: [Surface: ReadinessFigures.Lists], waiting: Int = 0) -> [String] {
            var base = PreflightBase(devicesActive: 20, devicesReporting: 20, devicesWaiting: waiting)
            base.lists = lists
            return PreflightVerdict(
                Preflight(empty, alive: [manifest], cells: []), of: empty, base: base, counts: [],
                minimumCoverage: 0.9, allowance: .init(), today: Self.today, digest: Self.digest
            ).doubts
        }
        #expect(doubts([.control: .init(able: 10, listing: 9)]) == [])
        #expect(
            doubts([.control: .init(able: 10, listing: 8)]) == [
                "8 of 10 devices (80%) that can have a control sent the list of them within the window; at least 90% must"
            ])
        #expect(doubts([.control: .init(able: 10, listing: 9)], waiting: 1).count == 1)
        #expect(doubts([.control: .init(able: 0, listing: 0)]) == [], "nobody can lose one")
        #expect(doubts([.widget: .init(able: 10, listing: 0)]) == [], "no widget changes")
    }

    @Test func `an app without active devices gets an unknown verdict`() {
        let none = dropped(PreflightBase(devicesActive: 0, devicesReporting: 0))
        #expect(none.doubts == ["a has no active devices, so nothing is known"])
        #expect(none.exitStatus == 3)
        #expect(
            dropped(PreflightBase(devicesActive: 0, devicesReporting: 0, devicesUnknown: 2)).doubts
                == [
                    "a has no active devices, so nothing is known; 2 devices are waiting to be reconciled, set aside, or had every event refused"
                ])
        #expect(
            dropped(PreflightBase(devicesActive: 0, devicesReporting: 0, devicesUnknown: 1)).doubts
                == [
                    "a has no active devices, so nothing is known; 1 device is waiting to be reconciled, set aside, or had every event refused"
                ])
    }

    @Test func `a finding sums its losses by version, oldest first, and its fingerprint has twelve digits`() {
        let verdict = dropped(
            PreflightBase(devicesActive: 100, devicesReporting: 100),
            counts: [
                .init(changes: [0], certainChanges: [0], appVersion: "1.10", devices: 3),
                .init(changes: [0], appVersion: "1.9", devices: 2),
                .init(changes: [0], appVersion: "1.10", isSilent: true, devices: 4),
                .init(changes: [0], appVersion: "1.10", widgetsCertain: 5, widgetsPossible: 9),
                .init(changes: [0], appVersion: "1.9", widgetsCertain: 1, widgetsPossible: 2),
            ])
        let finding = verdict.findings[0]
        #expect(finding.fingerprint.utf8.count == 12)
        #expect(finding.fingerprint == Self.fingerprint(of: "gone"))
        #expect(finding.byVersion.map(\.version) == ["1.9", "1.10"])
        #expect(finding.byVersion.map(\.loss.devicesPossible) == [2, 7])
        #expect(finding.byVersion.map(\.loss.widgetsCertain) == [1, 5])
        #expect((finding.loss.devicesCertain, finding.loss.devicesPossible, finding.loss.devicesSilent) == (3, 9, 4))
        #expect((finding.loss.widgetsCertain, finding.loss.widgetsPossible) == (6, 11))
        #expect(verdict.total == finding.loss)
    }

    @Test func `the first of two simultaneous acknowledgements counts`() {
        func accepting(_ loss: Int) -> PreflightAcknowledgement {
            .init(
                fingerprint: Self.fingerprint(of: "gone"), maximumLoss: loss, until: Self.today, by: "anna", reason: "",
                at: Timestamp(seconds: 0))
        }
        let base = PreflightBase(devicesActive: 10, devicesReporting: 10)
        let counts = [PreflightCount(changes: [0], appVersion: "0.9", devices: 2)]
        #expect(dropped(base, counts: counts, [accepting(2), accepting(1)]).exitStatus == 0)
        let exceeded = dropped(base, counts: counts, [accepting(1), accepting(2)])
        #expect(exceeded.exitStatus == 1)
        #expect(exceeded.findings.map(\.consent) == [.exceeded(accepting(1))])
    }

    @Test func `omitted figures default to zero or none`() {
        #expect(
            PreflightCount(changes: [0], appVersion: "1.0")
                == PreflightCount(
                    changes: [0], certainChanges: [], alternatives: [], appVersion: "1.0", isSilent: false, devices: 0,
                    widgetsCertain: 0, widgetsPossible: 0))
        #expect(
            PreflightBase(devicesActive: 1, devicesReporting: 1)
                == PreflightBase(
                    devicesActive: 1, devicesReporting: 1, devicesUnknown: 0, devicesSilent: 0, versions: [], asOf: nil)
        )
    }
}
