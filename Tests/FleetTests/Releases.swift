import CensusCore
@testable import Fleet
import SeededRandom
import Testing

@Suite struct `Releases` {
    private static func plan(_ releases: WeatherFleet.Releases, devices: Int = 2_000) -> WeatherFleet.Plan {
        WeatherFleet.Plan(devices: devices, end: FoldedFleet.end, releases: releases)
    }

    @Test func `a phased release is offered in Apple's steps`() {
        let plan = Self.plan(WeatherFleet.Releases(age: .days(8), isPhased: true))
        let stores = (0..<plan.devices).map { AppStore(plan, luck: Seeded(1).derived(for: $0)) }
        func share(onDay day: Int64) -> Double {
            let time = plan.end - .days(8) + .days(day) + .hours(1)
            return Double(stores.count { $0.offered(at: time) == AppRelease.last }) / Double(stores.count)
        }
        for (day, expected) in [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1].enumerated() {
            #expect(abs(share(onDay: Int64(day)) - expected) < 0.035, "day \(day)")
        }
        #expect(share(onDay: -1) == 0)
        #expect(share(onDay: 6) == 1)
    }

    @Test func `a phased release reaches new installs at once, and is never taken back`() {
        let plan = Self.plan(WeatherFleet.Releases(age: .days(8), isPhased: true), devices: 200)
        let time = plan.end - .days(8) + .hours(1)
        for device in 0..<plan.devices {
            let store = AppStore(plan, luck: Seeded(1).derived(for: device))
            #expect(store.newest(at: time) == AppRelease.last)
            #expect(store.offered(at: time, insteadOf: AppRelease.last) == AppRelease.last)
        }
    }

    @Test func `a release that takes a kind from a share of the devices leaves it to the others`() {
        var plan = Self.plan(WeatherFleet.Releases(age: .days(10)), devices: 300)
        plan.droppedKind = "com.example.weather.forecast"
        func holders(_ dropShare: Double) -> Int {
            plan.dropShare = dropShare
            return (0..<plan.devices).count { index in
                WeatherFleet(plan).story(ofDevice: index).truths.values.contains { truth in
                    truth.held(at: FoldedFleet.end)[.widget, default: [:]].keys.contains { $0.kind == plan.droppedKind }
                }
            }
        }
        let (all, half, few) = (holders(0), holders(0.5), holders(1))
        #expect(all > 80)
        #expect(few < all / 5)
        #expect((all * 3 / 10...all * 7 / 10).contains(half))
    }
}

@Suite struct `Owners' habits` {
    private static let end = FoldedFleet.end

    private static func holdersOfLegacy(_ habits: WeatherFleet.Habits) -> [Int] {
        let plan = WeatherFleet.Plan(devices: 300, days: 60, end: end, androidShare: 0, habits: habits)
        var table = TruthTable(plan)
        for index in 0..<plan.devices {
            for truth in WeatherFleet(plan).story(ofDevice: index).truths.values { table.add(truth) }
        }
        let rows = table.rows.filter { $0.key.kind == WidgetKind.legacy.kind }
        let byDay = Dictionary(uniqueKeysWithValues: rows.map { ($0.key.day, $0.count.devices) })
        return table.days.map { byDay[$0] ?? 0 }
    }

    @Test func `the legacy kind melts away, melts to a floor, or returns`() {
        let melting = Self.holdersOfLegacy(WeatherFleet.Habits(legacyRemovalsADay: 0.2))
        let floor = Self.holdersOfLegacy(WeatherFleet.Habits(legacyRemovalsADay: 0.2, legacyFloor: 0.5))
        let returning = Self.holdersOfLegacy(WeatherFleet.Habits(legacyRemovalsADay: 0.2, legacyPlacementsADay: 0.1))
        #expect(melting[0] > 20)
        #expect(melting[59] < 5)
        #expect(floor[59] > 15)
        #expect(returning[59] > 50)
    }

    @Test func `habits wobble from day to day on all devices alike`() {
        let plan = WeatherFleet.Plan(
            devices: 400, days: 30, end: Self.end, androidShare: 0, habits: WeatherFleet.Habits(wobble: 1))
        var steady = plan
        steady.habits.wobble = 0
        /// How much the number of placements that ended varies by day.
        func dispersion(_ plan: WeatherFleet.Plan) -> Double {
            let start = plan.start
            var ends = Array(repeating: 0.0, count: plan.days)
            for index in 0..<plan.devices {
                for truth in WeatherFleet(plan).story(ofDevice: index).truths.values {
                    for interval in truth.intervals where interval.to < plan.end {
                        ends[Int((interval.to - start) / .days(1))] += 1
                    }
                }
            }
            let mean = ends.reduce(0, +) / Double(ends.count)
            return ends.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(ends.count) / mean
        }
        #expect(dispersion(plan) > 2 * dispersion(steady))
    }

    @Test func `some owners put the phone away with its widgets`() {
        let plan = WeatherFleet.Plan(
            devices: 300, days: 60, end: Self.end, habits: WeatherFleet.Habits(silencesADay: 0.02))
        let silent = (0..<plan.devices).count { index in
            guard let last = WeatherFleet(plan).story(ofDevice: index).deliveries.last else { return true }
            return last.receivedAt < plan.end - .days(20)
        }
        #expect((120...240).contains(silent))
    }

    @Test func `owners hold as many kinds as the plan asks for`() {
        let plan = WeatherFleet.Plan(devices: 400, days: 2, end: Self.end, androidShare: 0.3, extraKinds: 15)
        let kinds = (0..<plan.devices).reduce(into: Set<String>()) { kinds, index in
            for truth in WeatherFleet(plan).story(ofDevice: index).truths.values {
                kinds.formUnion(truth.intervals.map(\.placement.kind))
            }
        }
        #expect(kinds.count == 4 + 1 + 2 + 2 * 15)
    }
}
