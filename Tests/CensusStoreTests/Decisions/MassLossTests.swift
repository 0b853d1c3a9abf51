import CensusCore
import Fleet
import Nightly
import Postgres
import Testing

@testable import CensusStore

/// From reports to an incident, on PostgreSQL.
@Suite struct `Mass losses` {
    /// Phones on 1.0 with two kinds, which report on days 70 to 72. Then some update to 2.0, and some lose `radar`.
    private func fleet(updating: Int, losing: Int, others: Int = 200, losingAnyway: Int = 1) -> [Phone] {
        (0..<(updating + others)).map { number in
            var phone = Phone("phone \(number)")
            for day in 70...72 { phone.reports(["radar", "weather"], .day(day)) }
            let updates = number < updating
            if updates { phone.circumstances.appVersion = "2.0" }
            let loses = updates ? number < losing : number - updating < losingAnyway
            phone.reports(loses ? ["weather"] : ["radar", "weather"], .day(73))
            return phone
        }
    }

    private func night(_ test: TestStore, through day: Int) async throws -> [LossIncident] {
        try await NightlyJob(store: test.store, logger: .quiet).run(day: .first + day).incidents.map(\.incident)
    }

    @Test func `an update that takes a kind away opens one incident, which names kind and versions`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await test.tell(fleet(updating: 40, losing: 20))
            let opened = try await night(test, through: 73)
            let incident = try #require(opened.first)
            #expect(opened.count == 1)
            #expect(incident.kind == "radar" && incident.surface == "widget")
            #expect(incident.toVersion == "2.0" && incident.fromVersions == ["1.0"])
            #expect(incident.openedOn == .first + 73)
            #expect(incident.figures.updates.pairs == 40 && incident.figures.updates.lost == 20)
            #expect(incident.figures.others.lost == 1)
            // The devices that did not update, less the one that removed it.
            #expect(incident.devicesAtRisk == 199)
            #expect(try await test.store.losses.incidents(of: test.app).map(\.kind) == ["radar"])
            #expect(try await night(test, through: 73).isEmpty, "an incident opens once")
        }
    }

    /// PostgreSQL sorts 20.10 before 20.9.
    @Test func `incidents of one day are listed with the newest version first`() async throws {
        try await TestStore.with { test in
            let versions = ["20.9", "20.10", "beta", "20.9.1", "9"]
            try await test.execute(
                """
                insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
                select app_number, version, current_date, ordinality, 1, 0.01
                from census.app, unnest('{\(versions.joined(separator: ","))}'::text[]) with ordinality as version;
                insert into census.loss_watch (app_number, surface, kind, to_version, chance, tolerance, state, judged_on)
                select app_number, 'widget', 'radar', to_version, 0.1, 1, 'watched', current_date from census.loss_version
                """)
            let listed = try await test.store.losses.incidents(of: test.app, in: [.watched])
            #expect(listed.map(\.toVersion) == ["beta", "20.10", "20.9.1", "20.9", "9"])
        }
    }

    @Test func `a faultless update opens no incident`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await test.tell(fleet(updating: 100, losing: 1))
            #expect(try await night(test, through: 75).isEmpty)
            #expect(try await test.store.losses.incidents(of: test.app, in: [.open, .acknowledged, .closed]).isEmpty)
            #expect(
                try await test.value(
                    Int64.self, "select count(*) from census.loss_watch where upgraders = 100 and state = 'watched'")
                    == 2)
        }
    }

    /// Each pair is evidence once, however often its device is folded.
    @Test func `a refolded device, late data and a second night add no evidence`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            let phones = fleet(updating: 30, losing: 3)
            try await test.tell(phones)
            _ = try await night(test, through: 75)
            let before = try await test.pairs()
            #expect(before.lost == 4)
            try await test.tell(phones)
            try await test.execute(
                """
                insert into census.pending_device (app_number, device_id)
                select app_number, device_id from census.device
                """)
            var late = Phone("phone 5")
            // Between two reports that were compared already.
            late.happens(.reported([Placement(kind: "radar"): 1]), .day(71, hour: 20), id: "late")
            try await test.tell(late)
            _ = try await night(test, through: 76)
            #expect(try await test.pairs() == before)
        }
    }

    @Test func `days closed one by one and all at once open the same incident`() async throws {
        var found: [LossIncident] = []
        for days in [[73], [70, 71, 72, 73]] {
            try await TestStore.with(isPartitioned: true) { test in
                try await test.tell(fleet(updating: 40, losing: 20))
                for day in days { _ = try await night(test, through: day) }
                found += try await test.store.losses.incidents(of: test.app)
            }
        }
        #expect(found.count == 2)
        #expect(found.first?.figures.updates == found.last?.figures.updates)
        #expect(found.first?.openedOn == found.last?.openedOn)
        #expect(found.first?.figures.evidence == found.last?.figures.evidence)
    }

    @Test func `an open loss keeps a kind from being ready until a person acknowledges it`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await test.tell(fleet(updating: 40, losing: 20))
            _ = try await night(test, through: 73)
            var names = KnownNames()
            names.kinds = ["radar"]
            try await test.store.names.add(names, appNumber: test.app.number)
            let mark = KindDecision(.legacy, by: "tester")
            _ = try await test.store.kinds.mark(kind: "radar", mark, app: test.app)
            func hinders() async throws -> Bool {
                let verdicts = try await test.store.decisions.verdicts(on: test.app)
                #expect(verdicts.count == 1)
                return verdicts.first?.readiness.conditions.contains { $0.name == .loss && !$0.isMet } == true
            }
            #expect(try await hinders())
            let acted = try await test.store.losses.act(
                .acknowledged, kind: "radar", version: "2.0", by: "anna", because: "known", app: test.app)
            #expect(acted.map(\.state) == [.acknowledged])
            #expect(try await !hinders())
            let acts = try await test.store.losses.acts(of: test.app).on(acted[0])
            #expect(acts.map(\.state) == [.open, .acknowledged])
            #expect(acts.map(\.actor) == ["widget-census", "anna"])
            let again = try await test.store.losses.act(
                .acknowledged, kind: "radar", version: "2.0", by: "anna", because: nil, app: test.app)
            #expect(again.isEmpty)
            #expect(try await test.store.losses.acts(of: test.app).on(acted[0]).count == 2)
            await #expect(throws: StoreError.self) {
                _ = try await test.store.losses.act(
                    .closed, kind: "weather", version: "2.0", by: "anna", because: nil, app: test.app)
            }
        }
    }

    /// Regression: a night excused the losses, and no later night checked again.
    @Test func `a withdrawn acknowledgement no longer excuses a loss`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            func accept(_ devices: Int) async throws {
                try await test.store.acknowledgements.add(
                    "0123456789ab", maximumLoss: devices, until: .today, by: "anna", reason: "replaced",
                    change: AcknowledgedChange(
                        rule: "kind_dropped", surface: "widget", kind: "radar", appVersion: "2.0"), app: test.app)
            }
            try await accept(20)
            try await test.tell(fleet(updating: 40, losing: 20))
            #expect(try await night(test, through: 73).isEmpty)
            try await accept(0)
            #expect(try await night(test, through: 74).map(\.kind) == ["radar"])
        }
    }

    /// Regression: the next release's acknowledgement ended the previous one, whose update then counted as a loss.
    @Test func `an acknowledgement for the next version keeps the one for this version`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            for version in ["2.0", "3.0"] {
                try await test.store.acknowledgements.add(
                    "0123456789ab", maximumLoss: 20, until: .today, by: "anna", reason: "replaced",
                    change: AcknowledgedChange(
                        rule: "kind_dropped", surface: "widget", kind: "radar", appVersion: version), app: test.app)
            }
            try await test.tell(fleet(updating: 40, losing: 20))
            #expect(try await night(test, through: 73).isEmpty)
            // A withdrawal without a version ends both.
            try await test.store.acknowledgements.add(
                "0123456789ab", maximumLoss: 0, until: .today, by: "anna", reason: "off", change: nil, app: test.app)
            #expect(try await night(test, through: 74).map(\.kind) == ["radar"])
        }
    }

    /// Regression: an expired acknowledgement for a much older release kept an incident from opening.
    @Test func `an acknowledgement that expired before the update excuses nothing`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await test.store.acknowledgements.add(
                "0123456789ab", maximumLoss: 40, until: .first + 60, by: "anna", reason: "replaced",
                change: AcknowledgedChange(rule: "kind_dropped", surface: "widget", kind: "radar", appVersion: "1.5"),
                app: test.app)
            try await test.tell(fleet(updating: 40, losing: 20))
            #expect(try await night(test, through: 73).map(\.kind) == ["radar"])
        }
    }

    /// Regression: a night for a day before the last closed one raised the number of devices at risk.
    @Test func `a night for an older day doesn't change the devices at risk`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await test.tell(fleet(updating: 40, losing: 20))
            _ = try await night(test, through: 73)
            let before = try await test.store.losses.incidents(of: test.app)
            _ = try await night(test, through: 71)
            #expect(try await test.store.losses.incidents(of: test.app) == before)
        }
    }

    /// Regression: a watch without new updates kept counting devices that no longer had the kind.
    @Test func `devices at risk are as of the last night, even if none updated`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phones = fleet(updating: 30, losing: 1)
            try await test.tell(phones)
            #expect(try await night(test, through: 73).isEmpty)
            func atRisk() async throws -> [String] {
                try await test.lines(
                    """
                    select from_version, devices_at_risk from report.mass_losses where kind = 'radar' order by 1 nulls first
                    """)
            }
            #expect(try await atRisk() == ["∅|199", "1.0|199"])
            for index in 30..<130 { phones[index].reports(["weather"], .day(74)) }
            try await test.tell(phones)
            #expect(try await night(test, through: 74).isEmpty)
            #expect(try await atRisk() == ["∅|100", "1.0|100"])
        }
    }

    /// Regression: pairs that could show nothing reduced the evidence of the others.
    @Test(arguments: [0.1, 0.3, 0.7]) func `a loss is found even if a share of the devices also updated the OS`(
        share: Double
    ) async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phones = fleet(updating: 0, losing: 0, others: 200)
            for number in 0..<120 {
                var phone = Phone("updated \(number)")
                for week in 0..<10 { phone.reports(["radar", "weather"], .day(9 + 7 * week - number % 7)) }
                phone.circumstances.appVersion = "2.0"
                if Double(number) < share * 120 { phone.circumstances.osVersion = "26.0" }
                phone.reports(["weather"], .day(79 - number % 7))
                phones.append(phone)
            }
            try await test.tell(phones)
            #expect(try await night(test, through: 79).map(\.kind) == ["radar"])
        }
    }

    @Test func `devices that report again only after two weeks are shown but are no evidence`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phones = fleet(updating: 0, losing: 0)
            for number in 0..<40 {
                var phone = Phone("rare \(number)")
                phone.reports(["radar", "weather"], .day(10))
                phone.circumstances.appVersion = "2.0"
                phone.reports(number < 20 ? ["weather"] : ["radar", "weather"], .day(73))
                phones.append(phone)
            }
            try await test.tell(phones)
            #expect(try await night(test, through: 73).isEmpty)
            let watched = try await test.store.losses.incidents(of: test.app, in: [.watched])
            let radar = try #require(watched.first { $0.kind == "radar" })
            #expect(radar.figures.updates.pairs == 40 && radar.figures.updates.lost == 20)
            #expect(radar.figures.late == 40 && radar.figures.evidence == 1)
            #expect(
                radar.unheard == [
                    "40 updated devices don't count as evidence: the next report came only after more than 14 days."
                ])
        }
    }

    @Test func `an incident names the OS version that lost all, and the kind that replaced it`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            var phones = fleet(updating: 0, losing: 0)
            for number in 0..<80 {
                var phone = Phone("updated \(number)", osVersion: number < 30 ? "26.1.2" : "18.5")
                for day in 70...72 { phone.reports(["radar", "weather"], .day(day)) }
                phone.circumstances.appVersion = "2.0"
                phone.reports(number < 30 ? ["rain", "weather"] : ["radar", "weather"], .day(73))
                phones.append(phone)
            }
            try await test.tell(phones)
            let opened = try await night(test, through: 73)
            #expect(opened.map(\.kind) == ["radar"])
            let incident = try #require(try await test.store.losses.incidents(of: test.app).first)
            #expect(
                incident.remarks == [
                    "OS version 26.1 (30 of 30) lost nearly all; other OS versions lost 0 of 50.",
                    "30 devices that lost it reported rain for the first time in the same list; the update might have renamed the kind.",
                ])
        }
    }

    /// Nights of an older program, which did not record the length of each gap.
    @Test func `a watch includes pairs that were stored before gaps were distinguished`() async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await test.tell(fleet(updating: 40, losing: 4))
            #expect(try await night(test, through: 73).isEmpty)
            try await test.execute("delete from census.loss_detail; update census.pair_night set gap = 'short'")
            try await test.tell(
                (0..<20).map { number in
                    var phone = Phone("late \(number)")
                    for day in 72...73 { phone.reports(["radar", "weather"], .day(day)) }
                    phone.circumstances.appVersion = "2.0"
                    phone.reports(["weather"], .day(74))
                    return phone
                }
                    + fleet(updating: 0, losing: 0).map { phone in
                        var phone = phone
                        phone.reports(["radar", "weather"], .day(74))
                        return phone
                    })
            let opened = try await night(test, through: 74)
            #expect(opened.map(\.kind) == ["radar"])
            #expect(opened.first?.figures.updates == ReportPairs(pairs: 60, lost: 24, exposedSeconds: 60 * 86_400))
        }
    }

    @Test(arguments: [(20, false), (5, true)])
    func `an acknowledged loss opens an incident only if it exceeds its maximum`(
        accepted: Int, isOpened: Bool
    ) async throws {
        try await TestStore.with(isPartitioned: true) { test in
            try await test.store.acknowledgements.add(
                "0123456789ab", maximumLoss: accepted, until: .today, by: "anna", reason: "replaced",
                change: AcknowledgedChange(rule: "kind_dropped", surface: "widget", kind: "radar", appVersion: "2.0"),
                app: test.app)
            try await test.tell(fleet(updating: 40, losing: 20))
            #expect(try await night(test, through: 73).isEmpty == !isOpened)
            #expect(
                try await test.value(
                    Int64.self, "select count(*) from census.loss_watch where kind = 'radar' and excused = \(accepted)")
                    == 1)
        }
    }
}

extension TestStore {
    fileprivate func pairs() async throws -> ReportPairs {
        let rows = try await store.pool.query(
            Statement(
                "test",
                """
                select sum(pairs)::bigint as pairs, sum(lost)::bigint as lost, sum(exposed_seconds)::bigint as exposed_seconds
                from census.pair_night
                """))
        return try #require(rows.first).decoded()
    }
}
