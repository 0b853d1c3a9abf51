import CensusCore
@testable import CensusStore
import Fleet
import Nightly
import PostgresTesting
import Testing

/// The check of the ledger must find every fault and report nothing else.
@Suite struct `Verification of the ledger` {
    /// Thirty phones and those below, closed through the 78th day.
    private static let fleet = Task {
        try await TestStore.filled { test in
            try await fill(test)
            #expect(try await test.differences() == [])
        }
    }

    private static func fill(_ test: TestStore) async throws {
        try await test.tell(RandomFleet(11, phones: 30).phones)
        // Gives suspects outcomes of both kinds.
        for number in 0..<6 {
            var phone = Phone("restored \(number)")
            phone.reports(["weather"], .day(2))
            phone.reinstalls(.day(5))
            phone.reports(["weather"], .day(5, hour: 10))
            if number > 1 {
                phone.boots(.day(8))
                phone.reports(number > 3 ? ["weather"] : [], .day(9))
            }
            try await test.tell(phone)
        }
        // Makes nights count pairs of kinds.
        var names = KnownNames()
        names.kinds = ["weather"]
        try await test.store.names.add(names, appNumber: test.app.number)
        _ = try await test.store.kinds.mark(kind: "weather", KindDecision(.legacy, by: "tester"), app: test.app)
        try await test.night(.first + 78)
    }

    private static let faults = [
        "update census.kind_day set widgets_reported = widgets_reported + 1",
        "update census.kind_day set devices_possible = devices_possible + 1",
        "update census.kind_day_unsettled set devices = devices + 1",
        "delete from census.kind_day_unsettled",
        "update census.install_day set widgets_reported = widgets_reported + 1",
        "delete from census.install_day",
        "update census.device_day set devices_active = devices_active + 1",
        "update census.device_day set devices_with_widget = 0",
        "update census.device_day set devices_reporting = 0",
        "update census.change_day set widgets_removed = widgets_removed + 1",
        "delete from census.change_day",
        "update census.outcome_day set suspects_settled = suspects_settled + 1",
        "update census.span set certain = certain + 1",
        "delete from census.phase where to_at is not null",
        """
        insert into census.kind_entry (app_number, day, surface, kind, devices_certain, devices_possible,
            devices_still_there, devices_reported, widgets_certain, widgets_possible, widgets_reported,
            widgets_suspect, widgets_gone, widgets_still_there)
        select app_number, min(day), 'widget', 'weather', 1, 1, 0, 1, 1, 1, 1, 0, 0, 0
        from census.closed_day group by app_number
        """,
    ]

    @Test(arguments: faults) func `the check finds a fault`(script: String) async throws {
        try await TestStore.with(copyOf: Self.fleet.value) { test in
            try await test.execute(script)
            #expect(try await test.differences() != [])
        }
    }

    /// The faults above are listed by hand; this test asks PostgreSQL for the columns.
    @Test func `the check compares every number of every table and misses no row`() async throws {
        try await TestStore.with(copyOf: Self.fleet.value) { test in
            var damaged: [String: Int] = [:]
            for table in LedgerTable.all.map(\.name) {
                // They would reject much of the damage.
                for constraint in try await test.constraints(of: table) {
                    try await test.execute("alter table census.\(table) drop constraint \(constraint)")
                }
                var days = try await test.lines("select distinct day from census.\(table) order by day")[...]
                for column in try await test.numbers(of: table) {
                    guard let day = days.popFirst() else {
                        Issue.record("\(table) has too few days for \(column)")
                        break
                    }
                    try await test.execute(
                        """
                        update census.\(table) set \(column) = \(column) + 1
                        where ctid = (select ctid from census.\(table) where day = '\(day)' limit 1)
                        """)
                    damaged[table, default: 0] += 1
                }
                guard let day = days.popFirst() else { continue }
                try await test.execute(
                    """
                    delete from census.\(table)
                    where ctid = (select ctid from census.\(table) where day = '\(day)' limit 1)
                    """)
                damaged[table, default: 0] += 1
            }
            let found = Dictionary(grouping: try await test.differences(), by: \.table).mapValues(\.count)
            #expect(found == damaged)
        }
    }

    private static let damages = [
        ("device", nil), ("device", "silent_at = silent_at - interval '1 day'"),
        ("span", nil), ("span", "certain = certain + 1"), ("span", "from_at = from_at - interval '1 day'"),
        ("phase", nil), ("phase", "app_version = '9.9'"),
        ("device_use", nil), ("device_use", "events[1] = events[1] + 1"),
        ("device_cohort", nil), ("device_cohort", "week = week - 7"),
        ("device_cohort", "ended_at = null, ended_cause = null"),
    ]

    /// Rows that count, by table or by change. Others have no part in any closed day and can't be found.
    private static let counted = [
        "device": "silent_at < (select max(day) from census.closed_day)", "device_cohort": "week is not null",
        // It lasted until the end of a day. The row is picked by its text, so the pick differs from day to day.
        "span": "(from_at at time zone 'UTC')::date < coalesce(to_at at time zone 'UTC', 'infinity')::date",
        // The ledger counts whether a device was heard from, not how often.
        "events[1] = events[1] + 1": "use <> 'heard'",
        "ended_at = null, ended_cause = null": "ended_at is not null and week is not null",
    ]

    /// Regression: the next night made the ledger as wrong as the rows that it is counted from.
    @Test(
        .disabled(if: TestDatabase.isOnCluster, "no row of a shard can be named by its place"), arguments: damages)
    func `the check finds damage to one device, and the next night repairs it`(
        table: String, change: String?
    ) async throws {
        try await TestStore.with(copyOf: Self.fleet.value) { test in
            let (before, rows) = (try await levels(test), try await test.unnumbered(table))
            let row = """
                (tableoid, ctid) = (
                    select tableoid, ctid
                    from census.\(table) as line
                    \((Self.counted[change ?? ""] ?? Self.counted[table]).map { "where \($0)" } ?? "")
                    order by md5(line::text)
                    limit 1)
                """
            let damage = change.map { "update census.\(table) set \($0)" } ?? "delete from census.\(table)"
            try await test.execute("\(damage) where \(row)")
            let night = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 78, verifies: true)
            #expect(night.verification?.differences.isEmpty == false)
            let next = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 78, verifies: true)
            #expect(next.verification?.differences.isEmpty == true)
            #expect(try await levels(test) == before)
            #expect(try await test.unnumbered(table) == rows)
        }
    }

    /// Regression: it was set aside for good, and still counted in its last state.
    @Test func `a device that lost its row is still counted`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(1))
            try await test.tell(phone)
            try await test.night(.first + 2)
            try await test.execute("delete from census.device")
            phone.reports(["search"], .day(3))
            try await test.tell(phone)
            let night = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 4, verifies: true)
            #expect(night.setAside == 0)
            #expect(night.verification?.differences.isEmpty == true)
            #expect(try await test.spans() == test.foldedSpans([phone]))
        }
    }

    /// Regression: the check of `overlap` took a minute for 300 devices, because `census.app` seemed empty.
    @Test func `the check begins with statistics of every table that a report reads`() async throws {
        try await TestStore.with(copyOf: Self.fleet.value) { test in
            let unknown = """
                with recursive used as (
                    select oid
                    from pg_class
                    where relnamespace = 'report'::regnamespace
                    union
                    select pg_depend.refobjid
                    from used
                    join pg_rewrite
                        on pg_rewrite.ev_class = used.oid
                    join pg_depend
                        on pg_depend.objid = pg_rewrite.oid
                        and pg_depend.refclassid = 'pg_class'::regclass
                )
                select relname
                from used
                join pg_class using (oid)
                where relkind in ('r', 'p')
                    and reltuples < 0
                order by relname
                """
            #expect(try await test.lines(unknown).contains("app"))
            try await test.store.ledger.analyzeCounted()
            #expect(try await test.lines(unknown) == [])
        }
    }

    @Test func `a difference names the table, the day, the cell and both numbers`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phone = Phone("phone")
            phone.reports(["weather"], .day(1))
            try await test.tell(phone)
            try await test.night(.first + 2)
            try await test.execute("update census.kind_day set widgets_reported = 7 where day = '\(Day.first + 2)'")
            let found = try await test.differences()
            // In the order of the columns.
            func told(reported: Int) -> String {
                var amounts = KindAmounts()
                (amounts.devicesCertain, amounts.devicesPossible, amounts.devicesReported) = (1, 1, 1)
                (amounts.widgetsCertain, amounts.widgetsPossible, amounts.widgetsReported) = (1, 1, reported)
                var numbers: [String] = []
                amounts.forEach { numbers.append("\($0)") }
                return numbers.joined(separator: " ")
            }
            #expect(
                found == [
                    LedgerDifference(
                        table: "kind_day", day: .first + 2, cell: "widget weather", ledger: told(reported: 7),
                        counted: told(reported: 1))
                ])
            let night = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 2, verifies: true)
            #expect(night.verification?.holds == false)
            #expect(night.verification?.differences.count == 1)
        }
    }

    /// The ledger and its check both count a span that is stored twice, so they agree.
    @Test func `the check finds a widget that is stored twice at one time`() async throws {
        try await TestStore.with(copyOf: Self.fleet.value) { test in
            try await test.execute(
                """
                create temporary table twice as select * from census.span where certain > 0 and to_at is null limit 2;
                update twice set ordinal = ordinal + 1000, from_at = from_at + interval '1 second',
                    to_at = from_at + interval '1 day', ended_cause = 'removed', ended_rule = 'report';
                insert into census.span select * from twice
                """)
            _ = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 78, rebuilds: true)
            let found = try await test.differences()
            #expect(Set(found.map(\.table)) == ["span"])
        }
    }

    @Test func `a recount restores the correct ledger`() async throws {
        try await TestStore.with(copyOf: Self.fleet.value) { test in
            let before = try await levels(test)
            for fault in `Verification of the ledger`.faults where !fault.contains(".span") && !fault.contains(".phase")
            {
                try await test.execute(fault)
            }
            #expect(try await test.differences() != [])
            _ = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 78, rebuilds: true)
            #expect(try await test.differences() == [])
            #expect(try await levels(test) == before)
        }
    }

    @Test(arguments: ["min(day)", "min(day) + 30", "max(day)"])
    func `a day that is no longer closed is closed again with the same numbers`(day: String) async throws {
        try await TestStore.with(copyOf: Self.fleet.value) { test in
            let before = try await levels(test)
            try await test.execute("delete from census.closed_day where day = (select \(day) from census.closed_day)")
            #expect(try await test.differences() != [])
            // The check tells the next night, in case that one doesn't notice by itself.
            _ = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 78, verifies: true)
            try await test.night(.first + 78)
            #expect(try await test.differences() == [])
            #expect(try await levels(test) == before)
        }
    }

    @Test func `the check finds rows on a day that is not closed, and the next night repairs them`() async throws {
        try await TestStore.with(copyOf: Self.fleet.value) { test in
            // First-known numbers can't be recounted.
            let known = "devices_certain_first_known = 0, devices_possible_first_known = 0"
            try await test.execute("update census.kind_day set \(known)")
            let before = try await levels(test)
            var tables: [String] = []
            for name in LedgerTable.all.map(\.name) {
                let moved = try await test.lines(
                    """
                    update census.\(name) set day = day + 1001
                    where day = (select max(day) from census.\(name)) returning 1
                    """)
                if !moved.isEmpty { tables.append(name) }
            }
            #expect(tables.count >= 10)
            let night = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 78, verifies: true)
            let found = try #require(night.verification).differences.map(\.difference)
            for name in tables {
                let days = Set(found.filter { $0.table == name }.compactMap(\.day))
                #expect(days.contains { $0 > .first + 1000 }, "\(name)")
            }
            try await test.night(.first + 78)
            #expect(try await test.differences() == [])
            #expect(try await levels(test) == before)
        }
    }

    @Test func `a recount restores wrong reads from the log`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            let phones = RandomFleet(12, phones: 20).phones
            try await test.tell(phones.prefix(10).map(\.self))
            try await test.night(.first + 78)
            let reads = "select quarter_at, reads, reads_failed from census.read_quarter where reads > 0 order by 1"
            let before = try await test.lines(reads)
            let faults = [
                "update census.read_quarter set reads = reads + 3 where reads_failed = 0",
                "delete from census.read_quarter where extract(day from quarter_at) between 10 and 15",
                """
                insert into census.read_quarter (app_number, quarter_at, reads, reads_failed)
                select app_number, min(quarter_at) - interval '15 minutes', 5, 2
                from census.read_quarter group by app_number
                """,
            ]
            for fault in faults { try await test.execute(fault) }
            #expect(try await test.differences().contains { $0.table == "read_quarter" })
            _ = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 78, rebuilds: true)
            #expect(try await test.lines(reads) == before)
            // Also before a night has taken them.
            try await test.tell(phones)
            try await test.reconcile()
            for fault in faults.dropLast() { try await test.execute(fault) }
            _ = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 78, rebuilds: true)
            #expect(try await test.differences() == [])
        }
    }

    private func levels(_ test: TestStore) async throws -> [String] {
        var levels: [String] = []
        for name in LedgerTable.all.map(\.name) {
            levels += try await test.contents("census.\(name)").map { "\(name) \($0)" }
        }
        return levels + (try await test.lines("select app_number, day from census.closed_day order by day"))
    }

    /// Changes that are reconciled after a night are in the spans, but not in the ledger yet.
    @Test func `the check passes between two nights`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            let phones = RandomFleet(12, phones: 20).phones
            try await test.tell(phones.prefix(10).map(\.self))
            try await test.night(.first + 78)
            try await test.tell(phones)
            try await test.reconcile()
            #expect(try await test.differences() == [])
        }
    }

    /// Every device keeps changing closed days. On a cluster, no snapshot covers all nodes.
    @Test func `the check passes while devices are reconciled and the ledger is recounted`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var random = Seeded(13)
            let told = RandomFleet(13, phones: 60).phones.flatMap(test.batches(of:)).shuffled(using: &random)
            _ = try await test.store.log.append(Array(told.prefix(100)))
            try await test.night(.first + 78)
            try await test.withSecondStore { second in
                async let all: Void = {
                    for start in stride(from: 100, to: told.count, by: 5) {
                        _ = try await second.log.append(Array(told[start..<min(start + 5, told.count)]))
                        _ = try await Reconciler(store: second, logger: .quiet).drain()
                    }
                }()
                for _ in 0..<3 {
                    for _ in 0..<3 { try await expectNone(test) }
                    _ = try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + 78, rebuilds: true)
                }
                try await all
            }
            try await expectNone(test)
        }
    }

    private func expectNone(_ test: TestStore) async throws {
        let found = try await test.differences()
        #expect(found.isEmpty, "\(found)")
    }
}

extension TestStore {
    /// A table's rows without the numbers of spans, which can be assigned in another order.
    fileprivate func unnumbered(_ table: String) async throws -> [String] {
        try await lines(
            "select (to_jsonb(line) - 'ordinal' - 'last_ordinal')::text from census.\(table) as line order by 1")
    }

    fileprivate func constraints(of table: String) async throws -> [String] {
        try await lines(
            "select conname from pg_constraint where conrelid = 'census.\(table)'::regclass and contype = 'c'")
    }

    /// The counted columns of a ledger's table. First-known numbers are left out, because they can't be recounted.
    fileprivate func numbers(of table: String) async throws -> [String] {
        try await lines(
            """
            select attname
            from pg_attribute
            join pg_index
                on indrelid = attrelid
                and indisprimary
            where attrelid = 'census.\(table)'::regclass
                and attnum > 0
                and not attisdropped
                and atttypid = 'bigint'::regtype
                and attnum <> all (indkey::smallint[])
                and attname not like '%first_known'
            order by attnum
            """)
    }
}
