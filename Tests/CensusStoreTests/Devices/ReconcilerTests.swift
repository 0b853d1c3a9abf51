import CensusCore
import Fleet
import Postgres
import PostgresTesting
import Testing

@testable import CensusStore

@Suite struct `Reconciliation` {
    private func everything(_ test: TestStore) async throws -> [String] {
        try await test.contents("census.span") + test.contents("census.device") + test.contents("census.pending_device")
            + test.contents("census.phase") + test.entries()
    }

    @Test(arguments: TestStore.seeds(0..<12)) func `the stored spans equal those of the pure fold`(seed: UInt64)
        async throws
    {
        try await TestStore.with { test in
            let phones = RandomFleet(seed, phones: 25).phones
            try await test.tell(phones)
            let done = try await test.reconcile(stepSize: 7)
            #expect(done.devices == 25)
            #expect(done.setAside == 0)
            #expect(try await test.spans() == test.foldedSpans(phones))
            #expect(try await test.value(Int.self, "select count(*) from census.pending_device") == 0)
        }
    }

    @Test func `an unchanged report updates one row of its device and adds a day`() async throws {
        try await TestStore.with { test in
            var phone = Phone("phone")
            for day in [76, 77] { phone.reports(["weather", "search"], .day(day)) }
            try await test.tell(phone)
            try await test.reconcile()
            func versions(_ table: String) async throws -> [String] {
                try await test.lines("select xmin, ctid from census.\(table) order by ctid")
            }
            let tables = ["span", "phase", "device_cohort"]
            let before = try await tables.asyncMap(versions)
            let due = try await test.lines("select due_at from census.device")
            let active = try await test.value(Int.self, "select count(*) from census.active_entry")
            phone.reports(["weather", "search"], .day(78))
            phone.reports(["weather", "search"], .day(79))
            try await test.tell(phone)
            try await test.reconcile()
            #expect(try await tables.asyncMap(versions) == before)
            #expect(
                try await test.lines("select due_at from census.device") == due,
                "a wasted check is cheaper than rewriting the index")
            #expect(try await test.value(Int.self, "select count(*) from census.active_entry") > active)
            let heard = try await test.value(Timestamp.self, "select last_heard_at from census.device")
            #expect(heard == phone.observations(test.secret).map(\.at).max())
            #expect(try await test.spans() == test.foldedSpans([phone]))
            try await test.execute("update census.device set due_at = now() - interval '1 minute'")
            try await test.reconcile()
            #expect(try await test.lines("select due_at = silent_at from census.device") == ["t"])
            #expect(try await tables.asyncMap(versions) == before)
        }
    }

    @Test(arguments: TestStore.seeds(0..<8)) func `events give the same spans in any order of arrival`(seed: UInt64)
        async throws
    {
        try await TestStore.with { test in
            var random = Seeded(seed)
            let phones = RandomFleet(seed, phones: 12).phones
            var batches = phones.flatMap(test.batches).shuffled(using: &random)
            while !batches.isEmpty {
                let count = min(batches.count, random.below(60) + 1)
                _ = try await test.store.log.append(Array(batches.suffix(count)))
                batches.removeLast(count)
                if random.chance(70) { try await test.reconcile(stepSize: random.below(9) + 1) }
            }
            try await test.reconcile()
            #expect(try await test.spans() == test.foldedSpans(phones))
            // Clones count, too, whether or not they were known as clones then.
            let counted = phones.map { $0.observations(test.secret) }
                .filter { test.app.fold.fold($0).lastHeardAt != nil }
            let asOf = try await test.value(Timestamp.self, "select as_of from census.reconciled")
            #expect(asOf == counted.joined().map(\.at).max())
        }
    }

    @Test(arguments: TestStore.seeds(0..<5)) func `events give the same spans at any read limit`(seed: UInt64)
        async throws
    {
        try await TestStore.with { test in
            var (test, random) = (test, Seeded(seed))
            let phones = RandomFleet(seed, phones: 8).phones + [crowd(seed)]
            var batches = phones.flatMap(test.batches).shuffled(using: &random)
            while !batches.isEmpty {
                _ = try await test.store.log.append(Array(batches.suffix(60)))
                batches.removeLast(min(batches.count, 60))
                test.store.readLimits = ReadLimits(
                    rows: random.below(9) + 1, bytes: random.below(2_000) + 1, stepBytes: random.below(9_000) + 1)
                try await test.reconcile(stepSize: random.below(9) + 1)
                #expect(try await test.value(Int.self, "select count(*) from census.pending_device") == 0)
            }
            #expect(try await test.spans() == test.foldedSpans(phones))
            for phone in phones {
                let state = try await test.store.devices.state(of: test.device(phone), fold: test.app.fold)
                let whole = test.app.fold.fold(phone.observations(test.secret))
                #expect(state.surfaces == whole.surfaces, "\(phone.id)")
            }
        }
    }

    /// A phone whose events share few times, so that pages end within one.
    private func crowd(_ seed: UInt64) -> Phone {
        var (phone, random) = (Phone("crowd"), Seeded(seed))
        for _ in 0..<60 {
            let (kind, at) = (
                ["weather", "search"].randomElement(using: &random) ?? "",
                Timestamp.day(1, hour: Int64(random.below(3)))
            )
            switch random.below(4) {
            case 0: phone.reports([kind], at)
            case 1: phone.happens(.installed(Placement(kind: kind)), at)
            case 2: phone.happens(.removed(Placement(kind: kind)), at)
            default: phone.happens(.opened(Placement(kind: kind)), at)
            }
        }
        return phone
    }

    @Test func `a step that is cut says so, and the next one continues`() async throws {
        try await TestStore.with { test in
            var test = test
            test.store.readLimits = ReadLimits(rows: 10, bytes: 1, stepBytes: 1)
            try await test.tell(
                (0..<5).map { number in
                    var phone = Phone("\(number)")
                    phone.reports(["weather"], .day(1))
                    return phone
                })
            try await test.execute("update census.pending_device set queued_at = now() - interval '1 hour'")
            let entries = "select device_id, pending_number, queued_at from census.pending_device order by device_id"
            let queued = try await test.lines(entries)
            var previous: Pseudonym?
            for left in [4, 3, 2, 1, 0] {
                let step = try await test.store.devices.reconcile(.next(after: previous, limit: 10))
                #expect(step.devices == 1)
                #expect(step.isCut == (left > 0))
                // An entry keeps its number and time, so that others still find it and its age is the device's wait.
                #expect(try await test.lines(entries) == queued.suffix(left))
                previous = step.last
            }
        }
    }

    enum Excess: CaseIterable { case held, copies, changes, late, modelDays, uses }

    @Test(arguments: Excess.allCases)
    func `a device with implausible data stays as it was, and its neighbours are counted`(
        _ excess: Excess
    ) async throws {
        try await TestStore.with { test in
            var test = test
            test.store.readLimits.plausibility = Plausibility(
                held: 60, widgets: 80, changes: 200, refolded: 200, refoldedADay: 10, modelDays: 300, uses: 50)
            var (odd, plain) = (Phone("odd", platform: excess == .changes ? .android : .ios), Phone("plain"))
            odd.reports(["search"], .day(1))
            plain.reports(["weather"], .day(1))
            try await test.tell(odd, plain)
            try await test.reconcile()
            var counted = try await test.spans()
            let reason =
                switch excess {
                case .held: "more than 60 different widgets at once"
                case .copies: "more than 80 widgets at once"
                case .changes: "more than 200 changes"
                case .late: "more than 200 events, and 10 a day"
                case .modelDays: "more than 300 kinds and families times days and versions"
                case .uses: "uses of more than 50 kinds times months"
                }
            odd.exceed(excess)
            try await test.tell(odd)
            if excess == .late {
                // In order, they are plausible.
                #expect(try await test.reconcile().implausible == 0)
                counted = try await test.spans()
                odd.failsToRead(.day(1, hour: 10))
                try await test.tell(odd)
            }
            let done = try await test.reconcile()
            #expect((done.setAside, done.implausible) == (0, 1))
            #expect(try await test.spans() == counted)
            #expect(
                try await test.lines("select reason from census.set_aside", [])
                    == ["it claims \(reason), which no phone does"])
            #expect(try await test.store.devices.countSetAside() == (0, 1))
            // Its later events are not processed, neither for its gallery nor by a retry nor by the reconciler.
            odd.reports(["weather"], .day(4))
            plain.reports(["search"], .day(4))
            try await test.tell(odd, plain)
            #expect(try await test.store.devices.state(of: test.device(odd), fold: test.app.fold) == DeviceState())
            #expect(try await test.store.devices.retrySetAside() == 0)
            let later = try await test.reconcile()
            #expect((later.devices, later.setAside, later.implausible) == (1, 0, 0))
            #expect(try await test.value(Int.self, "select count(*) from census.pending_device") == 0)
        }
    }

    /// Regression: a collector of 600 widgets was set aside when five weeks were imported at once, and counted when
    /// they arrived in pieces.
    @Test(arguments: [1, 24]) func `a device with many widgets is counted, in one import or in pieces`(
        daysAtOnce: Int
    ) async throws {
        try await TestStore.with { test in
            var test = test
            test.store.readLimits.plausibility = Plausibility(modelDays: 300)
            let shelf = Dictionary(
                uniqueKeysWithValues: (0..<50).map { (Placement(kind: "kind \($0 % 5)", configuration: "\($0)"), 1) })
            for days in stride(from: 1, through: 24, by: daysAtOnce) {
                var phone = Phone("collector")
                for day in days..<(days + daysAtOnce) { phone.reports(shelf, .day(day)) }
                try await test.tell(phone)
                #expect(try await test.reconcile().implausible == 0)
            }
            #expect(try await test.value(Int.self, "select count(*) from census.span where to_at is null") == 50)
        }
    }

    @Test func `each device is stored as of its last observation`() async throws {
        try await TestStore.with { test in
            let phones = RandomFleet(99, phones: 30).phones
            try await test.tell(phones)
            try await test.reconcile()
            for phone in phones {
                let state = DeviceFold(window: test.app.window).fold(phone.observations(test.secret))
                let lines = try await test.lines(
                    """
                    select
                        installation_id,
                        is_settled,
                        is_cloned,
                        app_version,
                        extract(epoch from first_heard_at) * 1000000 = $2,
                        extract(epoch from last_heard_at) * 1000000 = $3,
                        extract(epoch from last_report_at) * 1000000 = $4,
                        extract(epoch from silent_at) * 1000000 = $5
                    from census.device
                    where device_id = $1
                    """,
                    [
                        test.device(phone), state.firstHeardAt?.microseconds, state.lastHeardAt?.microseconds,
                        state.lastReportAt?.microseconds,
                        test.app.fold.silentAt(of: state)?.microseconds,
                    ])
                guard let installation = state.installation else {
                    #expect(lines == [], "\(phone.id)")
                    continue
                }
                let (settled, cloned) = (installation.isSettled ? "t" : "f", state.isCloned ? "t" : "f")
                let reported = state.lastReportAt == nil ? "∅" : "t"
                #expect(lines == ["\(installation.id)|\(settled)|\(cloned)|1.0|t|t|\(reported)|t"], "\(phone.id)")
            }
        }
    }

    @Test func `reconciling again changes nothing`() async throws {
        try await TestStore.with { test in
            let phones = RandomFleet(3, phones: 20).phones
            try await test.tell(phones)
            try await test.reconcile()
            let before = try await everything(test)
            #expect(try await test.reconcile().taken == 0)
            try await test.execute(
                "insert into census.pending_device (app_number, device_id) select app_number, device_id from census.device"
            )
            let again = try await test.reconcile()
            #expect(again.taken > 0)
            #expect(again.spansChanged == 0)
            #expect(try await everything(test) == before)
        }
    }

    @Test func `a late observation restates the whole history of its device`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var (phone, other) = (Phone("phone"), Phone("other"))
            phone.reports(["weather"], .day(10))
            other.reports(["weather"], .day(10))
            try await test.tell(phone, other)
            try await test.reconcile()
            try await test.night(.first + 30)
            phone.reports(["weather", "search"], .day(5))
            try await test.tell(phone)
            let done = try await test.reconcile()
            #expect(done.devices == 1)
            #expect(try await test.spans() == test.foldedSpans([phone, other]))
            let entered = try await test.lines(
                """
                select day - $1::date, kind, sum(devices_certain)
                from census.kind_entry
                where day <= $1::date + 30
                group by day, kind
                having sum(devices_certain) <> 0
                order by day, kind
                """, [Day.first])
            #expect(entered == ["5|search|1", "5|weather|1", "10|search|-1", "10|weather|-1"])
        }
    }

    @Test func `observations from channels other than production are stored but never counted`() async throws {
        try await TestStore.with { test in
            var (tester, mixed) = (Phone("tester"), Phone("mixed"))
            tester.circumstances.channel = "testflight"
            tester.reports(["weather"], .day(1))
            mixed.reports(["weather"], .day(1))
            mixed.circumstances.channel = "debug"
            mixed.reports([], .day(2))
            try await test.tell(tester, mixed)
            try await test.reconcile()
            #expect(try await test.value(Int.self, "select count(*) from census.observation") == 3)
            #expect(try await test.lines("select device_id from census.device") == ["\(test.device(mixed))"])
            #expect(try await test.lines("select kind, certain, to_at from census.span") == ["weather|1|∅"])
        }
    }

    /// Regression: an event of a type that only a newer program knows stopped the reconciler for all devices.
    @Test(arguments: ["type = 'widget_danced'", "surface = 'lock_screen'", "platform = 'vega'", "content = '{}'"])
    func `a device with an unreadable observation is set aside and stops no other`(spoil: String) async throws {
        try await TestStore.with { test in
            var (phone, other) = (Phone("phone"), Phone("other"))
            phone.reports(["weather"], .day(1))
            try await test.tell(phone)
            try await test.reconcile()
            let told = phone
            phone.reports(["search"], .day(2))
            other.reports(["weather"], .day(1))
            try await test.tell(phone, other)
            try await test.execute(
                """
                create table public.kept as select * from census.observation;
                update census.observation set \(spoil) where event_id = 'event 1'
                """)
            let done = try await test.reconcile()
            #expect((done.devices, done.setAside) == (2, 1))
            #expect(try await test.spans() == test.foldedSpans([told, other]))
            #expect(try await test.lines("select device_id from census.set_aside") == ["\(test.device(phone))"])

            // A newer program reads it and everything that arrived meanwhile.
            phone.reports(["radar"], .day(3))
            try await test.tell([phone])
            #expect(try await test.reconcile().setAside == 1)
            try await test.execute(
                """
                delete from census.observation;
                insert into census.observation select * from public.kept
                """)
            try await test.tell([phone, other])
            #expect(try await test.store.devices.retrySetAside() == 1)
            #expect(try await test.reconcile().setAside == 0)
            #expect(try await test.spans() == test.foldedSpans([phone, other]))
            #expect(try await test.lines("select device_id from census.set_aside") == [])
        }
    }

    /// Regression: the error was lost with its page if the page ended within an instant of the next device.
    @Test func `an unreadable device is set aside wherever its page ends`() async throws {
        try await TestStore.with { test in
            var test = test
            test.store.readLimits.rows = 2
            let phones = [Phone("one"), Phone("another")].sorted { test.device($0) < test.device($1) }
            var (unreadable, crowded) = (phones[0], phones[1])
            unreadable.reports(["weather"], .day(1))
            for kind in ["weather", "search", "radar"] {
                crowded.happens(.installed(Placement(kind: kind)), .day(1))
            }
            try await test.tell(unreadable, crowded)
            try await test.execute(
                "update census.observation set content = '{}' where device_id = '\(test.device(unreadable))'")
            let done = try await test.reconcile()
            #expect((done.devices, done.setAside) == (2, 1))
            #expect(
                try await test.lines("select device_id from census.set_aside") == ["\(test.device(unreadable))"])
            #expect(try await test.spans() == test.foldedSpans([crowded]))
        }
    }

    /// Regression: a span that PostgreSQL rejected stopped the reconciler for all devices, again and again.
    @Test func `a device that can't be stored is set aside and stops no other`() async throws {
        try await TestStore.with { test in
            let phones = (0..<7).map { number in
                var phone = Phone("phone \(number)")
                phone.reports([number == 4 ? "poison" : "weather"], .day(1))
                return phone
            }
            let poison = phones[4]
            try await test.execute("alter table census.span add constraint refused check (kind <> 'poison')")
            try await test.tell(phones)
            let done = try await test.reconcile(stepSize: 3)
            #expect((done.devices, done.setAside) == (7, 1))
            #expect(try await test.lines("select device_id from census.set_aside") == ["\(test.device(poison))"])
            let others = phones.filter { $0.id != poison.id }
            #expect(try await test.spans() == test.foldedSpans(others))

            try await test.execute("alter table census.span drop constraint refused")
            #expect(try await test.store.devices.retrySetAside() == 1)
            #expect(try await test.reconcile().setAside == 0)
            #expect(try await test.spans().count == 7)
        }
    }

    @Test func `events in order are folded onto the checkpoint, late events from the start`() async throws {
        try await TestStore.with { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(1))
            phone.reports(["weather", "search"], .day(3))
            try await test.tell(phone)
            #expect(try await test.reconcile().refolded == 1)
            phone.reports(["search"], .day(5))
            try await test.tell(phone)
            let onto = try await test.reconcile()
            #expect((onto.devices, onto.refolded, onto.observations) == (1, 0, 1))
            phone.reports([], .day(2))
            try await test.tell(phone)
            let late = try await test.reconcile()
            #expect((late.devices, late.refolded, late.observations) == (1, 1, 4))
            #expect(try await test.spans() == test.foldedSpans([phone]))
        }
    }

    @Test func `a changed window refolds all devices from the start`() async throws {
        try await TestStore.with { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(1))
            phone.reports(["weather"], .day(20))
            try await test.tell(phone)
            try await test.reconcile()
            var settings = AppSettings()
            settings.windowDays = 7
            try await test.store.apps.set(TestStore.appID, settings)
            #expect(try await test.reconcile().refolded == 1)
            #expect(try await test.lines("select ended_cause from census.span order by from_at") == ["silent", "∅"])
        }
    }
}

extension Phone {
    fileprivate mutating func exceed(_ excess: Reconciliation.Excess) {
        switch excess {
        case .held:
            for number in 0..<61 {
                happens(
                    .installed(Placement(kind: "weather", configuration: "\(number)")), .day(2, minute: Int64(number)))
            }
        case .copies: reports([Placement(kind: "weather"): 81], .day(2))
        case .changes:
            for turn in 0..<6 {
                let instances = (0..<40).map { (Placement(kind: "weather", instance: "\(turn) \($0)"), 1) }
                reports(Dictionary(uniqueKeysWithValues: instances), .day(2, minute: Int64(turn)))
            }
        case .late:
            for number in 0..<230 { failsToRead(.day(2, minute: Int64(number))) }
        case .modelDays:
            reports((0..<50).map { "kind \($0)" }, .day(2))
            for day in 3..<10 { failsToRead(.day(day)) }
        case .uses:
            for number in 0..<55 { happens(.opened(Placement(kind: "kind \(number)")), .day(2, minute: Int64(number))) }
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<T>(_ transform: (Element) async throws -> T) async rethrows -> [T] {
        var mapped: [T] = []
        for element in self { mapped.append(try await transform(element)) }
        return mapped
    }
}
