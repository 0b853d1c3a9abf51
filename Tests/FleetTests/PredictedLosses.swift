import CensusCore
import Fleet
import SeededRandom
import Testing

/// A hundred releases that drop, rename or change kinds: the true loss compared with preflight's prediction.
@Suite struct `Predicted losses` {
    @Test func `predicted bounds hold the true loss of 95 of 100 releases, and are not trivial`() throws {
        var (releases, held, lossy, exact) = (0, 0, 0, 0)
        var breaches: [String] = []
        for seed in UInt64(1)...20 {
            let fleet = WeatherFleet(
                WeatherFleet.Plan(
                    devices: 60, days: 60, seed: seed, end: FoldedFleet.end, reinstallsAMonth: 0.3, androidShare: 0.15,
                    quirks: Quirks(ghosts: [OperatingSystem(14, 3), OperatingSystem(18, 5)]), differences: .after,
                    unnamedShare: seed.isMultiple(of: 2) ? 0.5 : 0, tapsADay: 0.12))
            let phones = try (0..<60).flatMap { try Phone.all(of: fleet.story(ofDevice: $0)) }
            for number in 0..<5 {
                var random = Seeded(seed).derived(for: number)
                let release = Manifest.release(&random)
                let predicted = release.verdict(on: phones).total
                let taken = phones.count { release.takes($0) }
                releases += 1
                if taken > 0 { lossy += 1 }
                if predicted.devicesCertain == predicted.devicesPossible { exact += 1 }
                if (predicted.devicesCertain...predicted.devicesPossible).contains(taken) {
                    held += 1
                } else {
                    breaches.append(
                        "seed \(seed) release \(number): \(predicted.devicesCertain) <= \(taken) <= \(predicted.devicesPossible)"
                    )
                }
            }
        }
        #expect(releases == 100)
        #expect(held >= 95, "\(breaches.joined(separator: "\n"))")
        #expect(lossy > 50 && exact < 100)
    }
}

/// A device as the server knows it, and what it truly holds.
private struct Phone {
    var spans: [Span]
    var platform: Platform
    var appVersion: String
    var isSilent: Bool
    var truth: [Surface: [Placement: Int]]

    static func all(of story: DeviceStory) throws -> [Phone] {
        let folded = try FoldedFleet(story.deliveries)
        let fold = DeviceFold(window: ActivityWindow(zone: .utc))
        return folded.states.compactMap { device, state in
            guard let circumstances = state.circumstances, let silentAt = fold.silentAt(of: state) else { return nil }
            return Phone(
                spans: fold.spans(of: state).filter { span in
                    span.from <= FoldedFleet.end && span.to.map { $0 > FoldedFleet.end } ?? true
                }, platform: circumstances.platform,
                appVersion: circumstances.appVersion,
                isSilent: silentAt <= FoldedFleet.end,
                truth: story.truths[device]?.held(at: FoldedFleet.end) ?? [:])
        }
    }

    func cell(_ span: Span) -> HeldCell {
        HeldCell(
            kind: .init(surface: span.surface, kind: Text(span.placement.kind)), family: span.placement.family,
            intent: span.placement.intent, platform: platform, appVersion: appVersion)
    }
}

extension Manifest {
    /// The simulated app with some of its kinds dropped, renamed, or changed.
    fileprivate static func release(_ random: inout Seeded) -> Manifest {
        let shipped: [(name: String, families: [String], intent: String?)] = [
            ("forecast", ["systemSmall", "systemMedium", "systemLarge"], "WeatherCityIntent"),
            ("current", ["systemSmall", "accessoryRectangular"], nil),
            ("hourly", ["systemMedium", "accessoryRectangular"], nil), ("radar", ["systemMedium", "systemLarge"], nil),
            ("ForecastWidgetProvider", [], nil), ("CurrentWidgetProvider", [], nil),
        ]
        var kinds = random.chance(80) ? [Kind("weather")] : []
        for (name, families, intent) in shipped {
            let whole = "com.example.weather." + name
            let offered = families.isEmpty ? nil : families.filter { _ in random.chance(85) }
            switch random.below(10) {
            case 0: break
            case 1: kinds.append(Kind("com.example.weather.new." + name, families: offered, replaces: whole))
            case 2:
                kinds.append(Kind(whole, families: offered, intent: .init(intent.map { _ in "WeatherPlaceIntent" })))
            default: kinds.append(Kind(whole, families: offered, intent: .init(intent)))
            }
        }
        return Manifest(appID: "com.example.weather", appVersion: "30.0", kinds: kinds)
    }

    /// Whether the release takes anything that the device truly holds.
    fileprivate func takes(_ phone: Phone) -> Bool {
        phone.truth.contains { surface, placements in
            placements.keys.contains { takes($0, on: surface, of: phone.platform) }
        }
    }

    private func takes(_ placement: Placement, on surface: Surface, of platform: Platform) -> Bool {
        guard surface != .liveActivity else { return false }
        guard let kind = kinds.first(where: { $0.surface == surface && $0.name == placement.kind }) else { return true }
        guard platform.isWidgetKit, surface != .today else { return false }
        if let families = kind.families?.map(\.text), let family = placement.family, !families.contains(family) {
            return true
        }
        return placement.intent != nil && kind.intent != .unstated && placement.intent != kind.intent.name
    }

    fileprivate func verdict(on phones: [Phone]) -> PreflightVerdict {
        let preflight = Preflight(self, alive: [], cells: phones.flatMap { phone in phone.spans.map(phone.cell) })
        let exposures = Dictionary(grouping: preflight.exposures, by: \.cell)
        let counts = phones.map { phone in
            var (possible, certain): (Set<Int>, Set<Int>) = ([], [])
            for span in phone.spans {
                for exposure in exposures[phone.cell(span)] ?? [] {
                    if span.level.possibleInFamily > 0 { possible.insert(exposure.change) }
                    if exposure.isCertain, span.level.certain > 0, !phone.isSilent { certain.insert(exposure.change) }
                }
            }
            return PreflightCount(
                changes: possible.sorted(), certainChanges: certain.sorted(), appVersion: phone.appVersion,
                isSilent: phone.isSilent, devices: 1)
        }
        return PreflightVerdict(
            preflight, of: self, base: PreflightBase(devicesActive: phones.count, devicesReporting: phones.count),
            counts: counts, minimumCoverage: 0, allowance: .init(), today: Day(daysSince1970: 20_000)
        ) { $0 }
    }
}
