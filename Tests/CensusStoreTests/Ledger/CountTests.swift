import CensusCore
import CensusStore
import Fleet
import PostgresTesting
import Testing

/// Compares the ledger with a straightforward count, cell by cell, over random fleets.
@Suite struct `Ledger counts` {
    private func expectCounts(
        _ test: TestStore, _ phones: [Phone], days: ClosedRange<Day>, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let found = try await test.liveKinds()
        let wanted = Oracle(phones, test, days: days).cells
        #expect(!wanted.isEmpty, sourceLocation: sourceLocation)
        for cell in Set(found.keys).union(wanted.keys) {
            let (mine, other) = (found[cell] ?? .init(), wanted[cell] ?? .init())
            let name = "\(cell.day) \(cell.surface) \(String(decoding: cell.kind, as: UTF8.self))"
            var exact = mine
            exact.devicesExpected = other.devicesExpected
            #expect(exact == other, "\(name)", sourceLocation: sourceLocation)
            #expect(
                abs(mine.devicesExpected - other.devicesExpected) < 0.051, "\(name)", sourceLocation: sourceLocation)
            let isBetween =
                Double(mine.devicesCertain) <= mine.devicesExpected
                && mine.devicesExpected <= Double(mine.devicesPossible)
            #expect(isBetween, "\(name) \(mine)", sourceLocation: sourceLocation)
        }
    }

    private static let zones = ["UTC", "Europe/Prague", "America/Sao_Paulo", "Pacific/Apia", "Asia/Kolkata"]

    @Test(arguments: TestStore.seeds(0..<10)) func `closing all days at once counts the widgets at each day's end`(
        seed: UInt64
    ) async throws {
        var settings = AppSettings()
        settings.zone = `Ledger counts`.zones[Int(seed) % 5]
        settings.windowDays = [28, 7, 1][Int(seed) % 3]
        try await TestStore.with(settings, isPartitioned: true) { test in
            let phones = RandomFleet(seed, phones: 40).phones
            try await test.tell(phones)
            let last = Day.first + 78
            try await test.night(last)
            try await expectCounts(test, phones, days: .first - 2...last)
            #expect(try await test.differences() == [])
        }
    }

    /// A day's events can arrive weeks later, and a night can be missed.
    @Test(arguments: TestStore.seeds(20..<26)) func `nights with late data end at the same numbers`(
        seed: UInt64
    ) async throws {
        try await TestStore.with(zone: `Ledger counts`.zones[Int(seed) % 5]) { test in
            var random = Seeded(seed)
            let phones = RandomFleet(seed, phones: 20).phones
            var waiting = phones.flatMap { phone in
                zip(phone.observations, test.batches(of: phone)).map { said, rows in
                    let delay = random.chance(25) ? Duration.days(Int64(random.below(40))) : .zero
                    return (arrives: said.at + delay, rows: rows)
                }
            }
            for number in 0...77 {
                let night = Timestamp.day(number + 1, hour: 20)
                let arrived = waiting.filter { $0.arrives < night }
                waiting.removeAll { $0.arrives < night }
                _ = try await test.store.log.append(arrived.map(\.rows).shuffled(using: &random))
                if number % 10 == 9 || random.chance(20) { try await test.night(.first + number) }
                if number == 49 { #expect(try await test.differences() == []) }
            }
            _ = try await test.store.log.append(waiting.map(\.rows))
            // The next day has not ended in every zone yet.
            let last = Day.first + 78
            try await test.night(last)
            try await expectCounts(test, phones, days: .first - 2...last)
            #expect(try await test.differences() == [])
            let before = try await test.ledger()
            try await test.night(last)
            #expect(try await test.ledger() == before)
        }
    }

    /// Unless an event changes the past, the numbers at a day's end are those known then.
    @Test(arguments: TestStore.seeds(40..<44))
    func `without reinstallations, a day counts what devices had when it ended`(
        seed: UInt64
    ) async throws {
        try await TestStore.with(isPartitioned: true) { test in
            let phones = RandomFleet(seed, phones: 30, reinstalls: false).phones
            try await test.tell(phones)
            try await test.night(.first + 78)
            let found = try await test.liveKinds()
            for number in 0...78 {
                // Other tests wait for this thread, with timeouts.
                await Task.yield()
                let day = Day.first + number
                let end = ReportingZone.utc.start(of: day + 1)
                var held = certain(phones, at: end, on: day, test)
                for (cell, numbers) in found where cell.day == day {
                    #expect(numbers.widgetsCertain == held[cell] ?? 0, "\(cell.day) \(cell.surface)")
                    held[cell] = nil
                }
                #expect(held.values.allSatisfy { $0 == 0 })
            }
        }
    }

    /// The certain widgets of each kind at the end of a day, as known then.
    private func certain(
        _ phones: [Phone], at end: Timestamp, on day: Day, _ test: TestStore
    ) -> [Oracle.Cell: Int] {
        var held: [Oracle.Cell: Int] = [:]
        for phone in phones {
            let state = test.app.fold.fold(phone.observations(test.secret).filter { $0.at < end })
            guard let silentAt = test.app.fold.silentAt(of: state), silentAt >= end else { continue }
            for span in test.app.fold.spans(of: state) where span.from < end && (span.to ?? end) >= end {
                let cell = Oracle.Cell(day: day, surface: span.surface, kind: Array(span.placement.kind.utf8))
                held[cell, default: 0] += span.level.certain
            }
        }
        return held
    }
}
