import SeededRandom
import Testing

@testable import CensusCore

/// What each rule finds in a manifest, given earlier manifests and what devices hold.
@Suite struct `Preflights` {
    private func manifest(_ kinds: Manifest.Kind..., version: String = "2.0") -> Manifest {
        Manifest(appID: "com.example.weather", appVersion: version, kinds: kinds)
    }

    private func cell(
        _ kind: String, _ family: String? = "systemSmall", intent: String? = nil, on platform: Platform = .ios,
        surface: Surface = .widget, version: String = "1.0"
    ) -> HeldCell {
        HeldCell(
            kind: .init(surface: surface, kind: Text(kind)), family: family, intent: intent, platform: platform,
            appVersion: version)
    }

    /// Each change with its exposures, abbreviated.
    private func found(_ manifest: Manifest, alive: [Manifest] = [], _ cells: HeldCell...) -> [String] {
        let preflight = Preflight(manifest, alive: alive, cells: cells)
        return preflight.changes.enumerated().map { position, change in
            let hits = preflight.exposures.filter { $0.change == position }
            let certain = hits.count { $0.isCertain }
            return "\(change.rule.rawValue) \(change.kind) \(change.old ?? "-") \(change.new ?? "-") "
                + "\(certain) of \(hits.count)"
        }
    }

    @Test func `a kind that no longer ships is dropped, renamed or moved`() {
        #expect(found(manifest(), cell("old")) == ["kind_dropped old - - 1 of 1"])
        #expect(found(manifest(.init("new", replaces: "old")), cell("old")) == ["kind_renamed old - new 1 of 1"])
        let moved = manifest(.init("com.b.Clock"))
        #expect(found(moved, cell("com.a.Clock", on: .android)) == ["provider_moved com.a.Clock - com.b.Clock 1 of 1"])
        #expect(found(moved, cell("com.a.Outer$Clock", on: .android)).first?.hasPrefix("provider_moved") == true)
        #expect(found(moved, cell("com.a.Clock")) == ["kind_dropped com.a.Clock - - 1 of 1"])
        #expect(found(moved, cell("com.a.BigClock", on: .android)).first?.hasPrefix("kind_dropped") == true)
    }

    /// Each change of a version that drops a kind, with its exposures.
    private func dropped(
        _ kind: String, _ family: String?, alive: [Manifest] = [], _ cells: HeldCell...
    ) throws -> [String] {
        let preflight = try Preflight(
            dropping: kind, family: family, of: "com.example.weather", alive: alive, cells: cells)
        return preflight.changes.enumerated().map { position, change in
            let hits = preflight.exposures.filter { $0.change == position }
            return
                "\(change.rule.rawValue) \(change.kind) \(change.old ?? "-") \(hits.count { $0.isCertain }) of \(hits.count)"
        }
    }

    @Test func `dropping a kind needs no manifest and affects no other kind`() throws {
        #expect(
            try dropped("x", nil, cell("x"), cell("x", nil, on: .android), cell("y")) == ["kind_dropped x - 2 of 2"])
        #expect(
            try dropped("x", nil, cell("x"), cell("x", surface: .control), cell("x", surface: .liveActivity))
                == ["kind_dropped x (control) - 1 of 1", "kind_dropped x - 1 of 1"])
        #expect(try dropped("x", nil, cell("y")) == ["kind_dropped x - 0 of 0"])
        #expect(
            try dropped("x", nil, alive: [manifest(.init("x", surface: .control))]) == [
                "kind_dropped x (control) - 0 of 0"
            ]
        )
        let held = [cell("x", intent: "CityIntent"), cell("y")]
        let same = Preflight(manifest(.init("y")), alive: [], cells: held)
        let drop = try Preflight(dropping: "x", family: nil, of: "com.example.weather", alive: [], cells: held)
        #expect(drop.changes == same.changes && drop.exposures == same.exposures)
    }

    @Test func `dropping a family hits its widgets for certain, and widgets of unknown family possibly`() throws {
        let cells = [cell("x"), cell("x", "systemLarge"), cell("x", nil)]
        func hits(_ alive: Manifest...) throws -> [String] {
            try dropped("x", "systemSmall", alive: alive, cells[0], cells[1], cells[2])
        }
        #expect(try hits() == ["family_dropped x systemSmall 1 of 2"])
        // A control has no family, but once counted as a possible loss.
        #expect(
            try dropped("x", "systemSmall", cells[0], cell("x", nil, surface: .control))
                == ["family_dropped x systemSmall 1 of 1"])
        #expect(
            try hits(manifest(.init("x", families: ["systemSmall"]), version: "1.0")) == [
                "family_dropped x systemSmall 2 of 2"
            ])
        #expect(
            try hits(manifest(.init("x", families: ["systemLarge"]), version: "1.0")) == [
                "family_dropped x systemSmall 1 of 1"
            ])
    }

    @Test func `an unknown family is rejected with a suggestion`() throws {
        let alive = manifest(.init("x", families: ["systemLarge"]), version: "1.0")
        func refusal(_ family: String, _ cells: HeldCell...) -> String? {
            do {
                _ = try Preflight(
                    dropping: "x", family: family, of: "com.example.weather", alive: [alive], cells: cells)
                return nil
            } catch {
                return error.description
            }
        }
        let held = cell("x")
        #expect(
            refusal("systemsmall", held)
                == "x has no family systemsmall; did you mean systemSmall? It has systemLarge, systemSmall")
        #expect(refusal("tall", held, cell("y", "tall")) == "x has no family tall. It has systemLarge, systemSmall")
        #expect(refusal("systemLarge", held) == nil, "declared")
        #expect(refusal("systemMedium", held) == "x has no family systemMedium. It has systemLarge, systemSmall")
        #expect(refusal("tall", cell("x", "tall")) == nil)
        // A device that doesn't report its family could have any.
        let unsaid = cell("x", nil, version: "0.9")
        #expect(refusal("systemMedium", unsaid) == nil)
        #expect(
            refusal("systemsmall", unsaid)
                == "x has no family systemsmall; did you mean systemSmall? It has systemLarge")
        let onAndroid = [cell("x", nil, on: .android)]
        for family in ["4x2", "systemSmall"] {
            #expect(
                throws: Preflight.UnknownFamily(kind: "x", family: family, known: []),
                performing: {
                    try Preflight(
                        dropping: "x", family: family, of: "com.example.weather", alive: [], cells: onAndroid)
                })
        }
        #expect(try dropped("x", "systemSmall") == ["family_dropped x systemSmall 0 of 0"], "nothing is known yet")
    }

    @Test func `the same name on another surface is another kind, and a Live Activity loses nothing`() {
        #expect(found(manifest(.init("x")), cell("x", surface: .control)) == ["kind_dropped x (control) - - 1 of 1"])
        #expect(found(manifest(), cell("x", surface: .liveActivity)).isEmpty)
        #expect(found(manifest(), cell("x", nil, surface: .today)) == ["kind_dropped x (today) - - 1 of 1"])
        let today = manifest(.init("x", surface: .today, families: ["systemSmall"], intent: "CityIntent"))
        #expect(found(today, cell("x", "systemLarge", intent: "OldIntent", surface: .today)).isEmpty)
    }

    @Test func `dropped families are lost one by one, or all at once`() {
        let small = manifest(.init("x", families: ["systemSmall"]))
        #expect(
            found(small, cell("x", "systemSmall"), cell("x", "systemLarge")) == [
                "family_dropped x systemLarge - 1 of 1"
            ])
        #expect(found(manifest(.init("x")), cell("x", "systemLarge")).isEmpty)
        #expect(
            found(manifest(.init("x", families: [])), cell("x"), cell("x", nil)) == [
                "all_families_dropped x - - 2 of 2"
            ])
        #expect(found(small, cell("x", "4x2", on: .android)).isEmpty)
        let some = manifest(.init("x", families: ["systemSmall"]), version: "1.0")
        #expect(
            found(manifest(.init("x", families: [])), alive: [some], cell("x")) == ["all_families_dropped x - - 1 of 1"]
        )
        // It offered none before, either, so nothing changes.
        let hidden = manifest(.init("x", families: []), version: "1.0")
        #expect(found(manifest(.init("x", families: [])), alive: [hidden], cell("x")).isEmpty)
    }

    @Test func `a widget of unknown family may have any family that its version offered`() {
        let small = manifest(.init("x", families: ["systemSmall"]))
        let before = manifest(.init("x", families: ["systemSmall", "systemLarge"]), version: "1.0")
        #expect(found(small, alive: [before], cell("x", nil)) == ["family_dropped x systemLarge - 0 of 1"])
        #expect(found(small, cell("x", nil), cell("x", "systemLarge")) == ["family_dropped x systemLarge - 1 of 2"])
        #expect(
            found(small, alive: [manifest(.init("x", families: ["systemSmall"]), version: "1.0")], cell("x", nil))
                .isEmpty)
    }

    /// The loss was "0 to 10", although ten devices lose the kind whichever family they hold.
    @Test func `a widget of unknown family is certainly lost if every family its version offered is dropped`() {
        let before = manifest(.init("x", families: ["systemSmall"]), version: "1.0")
        let large = manifest(.init("x", families: ["systemLarge"]))
        #expect(found(large, alive: [before], cell("x", nil)) == ["family_dropped x systemSmall - 1 of 1"])
        // Another version's manifest makes it only likely.
        #expect(
            found(large, alive: [before], cell("x", nil, version: "0.9"), cell("x", nil))
                == ["family_dropped x systemSmall - 1 of 2"])
        let two = manifest(.init("x", families: ["systemMedium", "systemSmall"]), version: "1.0")
        let preflight = Preflight(large, alive: [two], cells: [cell("x", nil)])
        #expect(preflight.exposures.map(\.certainty) == [.oneOf, .oneOf])
        let whole = PreflightVerdict(
            preflight, of: large, base: PreflightBase(devicesActive: 10, devicesReporting: 10),
            counts: [PreflightCount(changes: [0, 1], alternatives: [0, 1], appVersion: "1.0", devices: 10)],
            minimumCoverage: 0, allowance: .init(), today: Day(daysSince1970: 20_000)
        ) { $0 }
        #expect(whole.total.devicesCertain == 10)
        #expect(whole.total.devicesPossible == 10)
        #expect(whole.findings.map(\.loss.devicesCertain) == [0, 0])
    }

    @Test func `a changed intent takes the kind away, unless it migrates from the old one`() {
        let city = cell("x", intent: "CityIntent")
        #expect(found(manifest(.init("x", intent: "CityIntent")), city).isEmpty)
        #expect(
            found(manifest(.init("x", intent: "PlaceIntent")), city) == [
                "intent_changed x CityIntent PlaceIntent 1 of 1"
            ])
        #expect(found(manifest(.init("x", intent: "PlaceIntent", migratesFrom: ["CityIntent"])), city).isEmpty)
        #expect(found(manifest(.init("x", intent: "P2", migratesFrom: ["Older"])), city).count == 1)
        #expect(found(manifest(.init("x", intent: .static)), city) == ["intent_dropped x CityIntent - 1 of 1"])
    }

    /// A minimal manifest, which names only the kinds, raised false alarms.
    @Test func `a manifest that states no intent makes no claim about it, as with families`() {
        let city = manifest(.init("x", intent: "CityIntent"), version: "1.0")
        let bare = manifest(.init("x"))
        #expect(found(bare, alive: [city], cell("x"), cell("x", intent: "CityIntent")).isEmpty)
        // If an earlier version states none, its devices' intent is unknown.
        let place = manifest(.init("x", intent: "PlaceIntent"))
        let silent = manifest(.init("x"), version: "1.0")
        #expect(found(place, alive: [silent], cell("x")) == ["intent_unknown x - PlaceIntent 0 of 1"])
        #expect(
            found(place, alive: [silent, manifest(.init("x", intent: "CityIntent"), version: "0.9")], cell("x"))
                == ["intent_changed x CityIntent PlaceIntent 0 of 1"])
        #expect(
            found(place, alive: [silent], cell("x", intent: "CityIntent"))
                == ["intent_changed x CityIntent PlaceIntent 1 of 1"])
    }

    @Test func `if reports carry no intent, the manifest of their version supplies it`() {
        let place = manifest(.init("x", intent: "PlaceIntent"))
        let city = manifest(.init("x", intent: "CityIntent"), version: "1.0")
        #expect(found(place, alive: [city], cell("x")) == ["intent_changed x CityIntent PlaceIntent 1 of 1"])
        let fixed = manifest(.init("x", intent: .static), version: "1.0")
        #expect(found(place, alive: [fixed], cell("x")) == ["intent_added x - PlaceIntent 1 of 1"])
        // Another version's manifest makes it only likely.
        #expect(
            found(place, alive: [city], cell("x", version: "0.9"), cell("x"))
                == ["intent_changed x CityIntent PlaceIntent 1 of 2"])
        #expect(found(place, cell("x")) == ["intent_unknown x - PlaceIntent 0 of 1"])
        #expect(found(manifest(.init("x")), cell("x")).isEmpty)
        #expect(found(place, cell("x", on: .android)).isEmpty)
    }

    /// A release that offered fewer families once passed as harmless.
    @Test func `a family change is unknown if nothing says which families devices hold`() {
        let small = manifest(.init("x", families: ["systemSmall"]))
        #expect(found(small, cell("x", nil)) == ["family_unknown x - - 0 of 1"])
        #expect(found(small, cell("x", nil), cell("x")).isEmpty)
        let any = manifest(.init("x"), version: "1.0")
        #expect(found(small, alive: [any], cell("x", nil)) == ["family_unknown x - - 0 of 1"])
        #expect(found(manifest(.init("x")), cell("x", nil)).isEmpty)
        #expect(found(small, cell("x", nil, on: .android)).isEmpty)
    }

    @Test func `a manifest is compared with every version alive, not only the last`() {
        let old = manifest(.init("a"), .init("b"), version: "1.0")
        let last = manifest(.init("b"), version: "1.1")
        #expect(found(manifest(.init("b")), alive: [old, last], cell("a")) == ["kind_dropped a - - 1 of 1"])
        // Declared once, but held by no device: a change without loss.
        #expect(found(manifest(.init("b")), alive: [old, last], cell("b")) == ["kind_dropped a - - 0 of 0"])
    }

    @Test func `a one-word intent gets a warning before it ships, and never after`() {
        let city = manifest(.init("x", intent: "City"))
        #expect(found(city) == ["unprefixed_intent x - City 0 of 0"])
        #expect(found(city, cell("x", intent: "City")).isEmpty)
        #expect(found(city, alive: [manifest(.init("x", intent: "City"), version: "1.0")]).isEmpty)
        // A different intent has shipped, which doesn't excuse this one.
        let other = manifest(.init("x", intent: "PlaceIntent"), version: "1.0")
        #expect(
            found(manifest(.init("x", intent: "City", migratesFrom: ["PlaceIntent"])), alive: [other])
                == ["unprefixed_intent x - City 0 of 0"])
        for name in ["CityIntent", "WXCity", "city", "App.City", "City2"] {
            #expect(found(manifest(.init("x", intent: .init(name)))).isEmpty, "\(name)")
        }
    }

    @Test func `changes are sorted by kind, and then in the order of the rules`() {
        let coming = manifest(
            .init("b", families: ["systemSmall"], intent: "CityIntent"), .init("new", replaces: "c"),
            .init("com.b.Clock"))
        #expect(
            found(
                coming, cell("d"), cell("c"), cell("com.a.Clock", on: .android), cell("a", surface: .control),
                cell("b", "systemMedium", intent: "Z"), cell("b", "systemLarge", intent: "Y"), cell("b", nil), cell("e")
            )
                == [
                    "kind_dropped a (control) - - 1 of 1",
                    "family_dropped b systemLarge - 1 of 2", "family_dropped b systemMedium - 1 of 2",
                    "intent_changed b Y CityIntent 1 of 2", "intent_changed b Z CityIntent 1 of 2",
                    "kind_renamed c - new 1 of 1", "provider_moved com.a.Clock - com.b.Clock 1 of 1",
                    "kind_dropped d - - 1 of 1", "kind_dropped e - - 1 of 1",
                ])
        let ofOneKind = PreflightRule.allCases.map { PreflightChange($0, .init(surface: .widget, kind: "a")) }
        #expect(ofOneKind.reversed().sorted() == ofOneKind)
    }

    @Test func `a change's fingerprint depends on the change, not on its loss`() {
        let change = PreflightChange(.intentChanged, .init(surface: .widget, kind: "weather"), old: "A", new: "B")
        #expect(
            String(decoding: change.identity(app: "com.example.weather"), as: UTF8.self)
                == #"["intent_changed","com.example.weather","widget","weather","A","B"]"#)
    }
}

/// The verdicts on the findings.
@Suite struct `Preflight verdicts` {
    private static let today = Day("2026-11-21") ?? Day(daysSince1970: 0)
    private static let manifest = Manifest(appID: "a", appVersion: "2.0", kinds: [])
    private let kinds = ["one", "two"].map { Manifest.Kind.ID(surface: .widget, kind: Text($0)) }

    /// Two dropped kinds: 10 devices lose the first, 4 of them also the second, and 2 silent ones only the second.
    private func verdict(
        _ allowance: PreflightAllowance = .init(), coverage: Double = 0.95, allowsUnknown: Bool = false,
        _ acknowledgements: [PreflightAcknowledgement] = []
    ) -> PreflightVerdict {
        let cells = kinds.map { HeldCell(kind: $0, appVersion: "1.0") }
        return PreflightVerdict(
            Preflight(Self.manifest, alive: [], cells: cells), of: Self.manifest,
            base: PreflightBase(
                devicesActive: 1_000, devicesReporting: Int(coverage * 1_000), devicesSilent: 2, versions: ["1.0"]),
            counts: [
                .init(changes: [0], certainChanges: [0], appVersion: "1.0", devices: 5),
                .init(changes: [0], appVersion: "1.0", devices: 1),
                .init(changes: [0, 1], certainChanges: [1], appVersion: "1.0", devices: 4),
                .init(changes: [1], appVersion: "1.0", isSilent: true, devices: 2),
                .init(changes: [0], appVersion: "1.0", widgetsCertain: 6, widgetsPossible: 12),
            ],
            minimumCoverage: 0.9, allowance: allowance, allowsUnknown: allowsUnknown,
            acknowledgements: acknowledgements, today: Self.today
        ) { bytes in
            // Any digest that distinguishes the two kinds will do.
            let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            return withUnsafeBytes(of: hash) { Array($0) }
        }
    }

    private func accepting(_ change: Int, _ loss: Int, until: Int = 1, at: Int64 = 0) -> PreflightAcknowledgement {
        .init(
            fingerprint: verdict().findings[change].fingerprint, maximumLoss: loss, until: Self.today + until,
            by: "anna", reason: "announced", at: Timestamp(microseconds: at))
    }

    @Test func `each device counts once, however many changes hit it`() {
        let verdict = verdict()
        #expect(verdict.findings.map(\.loss.devicesPossible) == [10, 6])
        #expect(verdict.findings.map(\.loss.devicesCertain) == [5, 4])
        #expect(verdict.findings.map(\.loss.devicesSilent) == [0, 2])
        #expect(verdict.findings[0].loss.widgetsPossible == 12)
        #expect(verdict.total.devicesPossible == 12 && verdict.total.devicesCertain == 9)
        #expect(verdict.findings[1].byVersion.map(\.loss.devicesPossible) == [6])
    }

    @Test func `the upper bound must stay within the allowance, and the stricter of two applies`() {
        #expect(verdict().exitStatus == 1)
        #expect(verdict(.init(devices: 12)).exitStatus == 0)
        #expect(verdict(.init(devices: 11)).exitStatus == 1)
        #expect(verdict(.init(share: 0.012)).exitStatus == 0)
        #expect(verdict(.init(devices: 500, share: 0.0119)).exitStatus == 1)
        #expect(verdict(.init(devices: 11, share: 0.5)).exitStatus == 1)
        #expect(verdict(.init(devices: 12)).findings.map(\.severity) == [.allowed, .allowed])
    }

    @Test func `too little coverage or no devices never pass silently`() {
        #expect(verdict(.init(devices: 12), coverage: 0.89).exitStatus == 3)
        #expect(verdict(.init(devices: 12), coverage: 0.89, allowsUnknown: true).exitStatus == 0)
        #expect(verdict(coverage: 0.1).exitStatus == 1, "a loss that was seen still fails")
        #expect(verdict(coverage: 0.1, allowsUnknown: true).exitStatus == 1)
        let empty = PreflightVerdict(
            Preflight(Self.manifest, alive: [], cells: []), of: Self.manifest,
            base: PreflightBase(devicesActive: 0, devicesReporting: 0), counts: [], minimumCoverage: 0,
            allowance: .init(),
            today: Self.today
        ) { $0 }
        #expect(empty.exitStatus == 3)
        #expect(PreflightVerdict(undecided: Self.manifest, because: "away", allowsUnknown: false).exitStatus == 3)
        #expect(PreflightVerdict(undecided: Self.manifest, because: "away", allowsUnknown: true).exitStatus == 0)
    }

    @Test func `an acknowledged loss passes, up to its maximum and until its last day`() {
        #expect(verdict([accepting(0, 10), accepting(1, 6)]).exitStatus == 0)
        #expect(verdict([accepting(0, 10)]).unacknowledged.devicesPossible == 6, "only of the second finding")
        #expect(verdict([accepting(0, 9), accepting(1, 6)]).exitStatus == 1)
        #expect(verdict([accepting(0, 10, until: 0), accepting(1, 6)]).exitStatus == 0)
        let late = verdict([accepting(0, 10, until: -1), accepting(1, 6)])
        #expect(late.exitStatus == 1)
        #expect(late.findings.map(\.severity) == [.fail, .acknowledged])
        guard case .expired = late.findings[0].consent else { return #expect(Bool(false)) }
        // The latest acknowledgement counts.
        #expect(verdict([accepting(0, 10, at: 2), accepting(0, 0, at: 3), accepting(1, 6)]).exitStatus == 1)
        #expect(verdict([accepting(0, 10, at: 4), accepting(0, 0, at: 3), accepting(1, 6)]).exitStatus == 0)
    }

    private func verdict(_ acknowledgements: [PreflightAcknowledgement]) -> PreflightVerdict {
        verdict(.init(), acknowledgements)
    }
}

/// Random manifests, with fleets that hold what some of them ship.
@Suite struct `Preflight properties` {
    /// A device's version, whether it is silent, and what it holds, certainly or possibly.
    private struct Phone {
        var version: Text
        var isSilent: Bool
        var held: [(cell: HeldCell, isCertain: Bool)]
    }

    private func phones(_ alive: [Manifest], _ random: inout Seeded) -> [Phone] {
        (0..<30).map { _ in
            let manifest = random.pick(alive)
            let held = (0..<random.below(4)).compactMap { _ -> (HeldCell, Bool)? in
                guard !manifest.kinds.isEmpty else { return nil }
                let kind = random.pick(manifest.kinds)
                let family = kind.families.map { $0.isEmpty ? nil : random.pick($0).text } ?? "systemSmall"
                let cell = HeldCell(
                    kind: kind.id, family: random.chance(80) ? family : nil,
                    intent: random.chance(70) ? kind.intent.name : nil, appVersion: manifest.appVersion)
                return (cell, random.chance(70))
            }
            return Phone(version: Text(manifest.appVersion), isSilent: random.chance(20), held: held)
        }
    }

    private func verdict(_ manifest: Manifest, _ alive: [Manifest], _ phones: [Phone]) -> PreflightVerdict {
        let preflight = Preflight(manifest, alive: alive, cells: phones.flatMap { $0.held.map(\.cell) })
        let counts = phones.map { phone in
            var (possible, certain): (Set<Int>, Set<Int>) = ([], [])
            for held in phone.held {
                for exposure in preflight.exposures where exposure.cell == held.cell {
                    possible.insert(exposure.change)
                    if exposure.isCertain, held.isCertain, !phone.isSilent { certain.insert(exposure.change) }
                }
            }
            return PreflightCount(
                changes: possible.sorted(), certainChanges: certain.sorted(), appVersion: phone.version.text,
                isSilent: phone.isSilent, devices: 1)
        }
        return PreflightVerdict(
            preflight, of: manifest,
            base: PreflightBase(devicesActive: phones.count, devicesReporting: phones.count), counts: counts,
            minimumCoverage: 0, allowance: .init(), today: Day(daysSince1970: 20_000)
        ) { $0 }
    }

    @Test(arguments: UInt64(0)..<16) func `a manifest compared with itself loses nothing`(seed: UInt64) {
        for step in 0..<20 {
            var random = Seeded(seed << 32 | UInt64(step))
            let manifest = Manifest.random(&random)
            let verdict = verdict(manifest, [manifest], phones([manifest], &random))
            #expect(verdict.findings.isEmpty, "seed \(seed) step \(step)")
        }
    }

    @Test(arguments: UInt64(0)..<16) func `dropping more kinds never loses less`(seed: UInt64) {
        for step in 0..<20 {
            var random = Seeded(seed << 32 | UInt64(step))
            let alive = (1...3).map { Manifest.random(&random, version: "\($0).0") }
            let phones = phones(alive, &random)
            var kinds = Manifest(appID: "a", appVersion: "9", kinds: alive.flatMap(\.kinds)).kinds
            var before = verdict(Manifest(appID: "a", appVersion: "9", kinds: kinds), alive, phones).total
            while !kinds.isEmpty {
                kinds.remove(at: random.below(kinds.count))
                let after = verdict(Manifest(appID: "a", appVersion: "9", kinds: kinds), alive, phones).total
                #expect(after.devicesPossible >= before.devicesPossible, "seed \(seed) step \(step)")
                #expect(after.devicesCertain >= before.devicesCertain, "seed \(seed) step \(step)")
                before = after
            }
            #expect(before.devicesPossible == phones.count { !$0.held.isEmpty })
        }
    }

    @Test(arguments: UInt64(0)..<16)
    func `the bounds are ordered, and the total is between the largest finding and the sum of all`(
        seed: UInt64
    ) {
        for step in 0..<20 {
            var random = Seeded(seed << 32 | UInt64(step))
            let alive = (1...3).map { Manifest.random(&random, version: "\($0).0") }
            let verdict = verdict(Manifest.random(&random, version: "9"), alive, phones(alive, &random))
            let losses = verdict.findings.filter(\.change.rule.isLossy).map(\.loss)
            #expect(
                (losses + [verdict.total]).allSatisfy { $0.devicesCertain <= $0.devicesPossible - $0.devicesSilent })
            #expect(verdict.total.devicesPossible >= losses.map(\.devicesPossible).max() ?? 0)
            #expect(verdict.total.devicesPossible <= losses.reduce(0) { $0 + $1.devicesPossible })
            #expect((verdict.total.devicesPossible > 0) == (verdict.outcome == .fail))
        }
    }
}
