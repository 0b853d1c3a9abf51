import CensusCore
import CensusStore
import Testing

@Suite struct `Manifests of versions` {
    private func manifest(_ version: String, _ kinds: Manifest.Kind...) -> Manifest {
        Manifest(appID: TestStore.appID, appVersion: version, kinds: kinds)
    }

    private func add(_ manifest: Manifest, _ test: TestStore) async throws -> ManifestAddition {
        try await test.store.manifests.add(manifest, source: manifest.canonical, by: "tester", app: test.app)
    }

    @Test func `added manifests are read back in the order of versions`() async throws {
        try await TestStore.with { test in
            let manifests = [
                manifest("20.12", .init("weather", families: ["systemSmall"], intent: "CityIntent")),
                manifest(
                    "20.9", .init("weather", families: []),
                    .init("é", surface: .control, intent: "I", migratesFrom: ["Old", "Older"], replaces: "e\u{301}")),
                manifest("beta"), manifest("3", .init("a"), .init("b", intent: .static)),
            ]
            for manifest in manifests { #expect(try await add(manifest, test) == .added) }
            let all = try await test.store.manifests.all(app: test.app)
            #expect(all.map(\.manifest) == [manifests[3], manifests[1], manifests[0], manifests[2]])
            #expect(all.allSatisfy { $0.addedBy == "tester" })
        }
    }

    @Test func `adding a manifest again changes nothing, and a different one is rejected with the differences`()
        async throws
    {
        try await TestStore.with { test in
            let first = manifest("1.0", .init("weather", families: ["systemMedium", "systemSmall"]))
            #expect(try await add(first, test) == .added)
            let before = try await test.contents("census.manifest") + test.contents("census.manifest_kind")
            #expect(
                try await add(manifest("1.0", .init("weather", families: ["systemSmall", "systemMedium"])), test)
                    == .known)
            #expect(
                try await add(manifest("1.0", .init("weather")), test)
                    == .differs(["weather: `families` was systemMedium, systemSmall and is now any"]))
            #expect(try await test.contents("census.manifest") + test.contents("census.manifest_kind") == before)
        }
    }

    @Test func `an absent intent matches a stored null but isn't stored as one`() async throws {
        try await TestStore.with { test in
            #expect(try await add(manifest("1.0", .init("weather", intent: .static)), test) == .added)
            #expect(try await add(manifest("1.0", .init("weather")), test) == .known)
            let stored = try await test.store.manifests.all(app: test.app)
            #expect(stored.map(\.manifest.kinds[0].intent) == [.static])
            #expect(try await add(manifest("1.1", .init("weather")), test) == .added)
            #expect(
                try await add(manifest("1.1", .init("weather", intent: .static)), test)
                    == .differs(["weather: `intent` was not stated and is now null"]))
        }
    }

    @Test func `one of eight simultaneous manifests is added`() async throws {
        try await TestStore.with { test in
            let manifest = manifest("1.0", .init("weather"), .init("search"))
            let additions = try await withThrowingTaskGroup(of: ManifestAddition.self) { group in
                for _ in 0..<8 { group.addTask { try await add(manifest, test) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(additions.count { $0 == .added } == 1)
            #expect(additions.count { $0 == .known } == 7)
        }
    }

    @Test func `apps do not see one another's manifests`() async throws {
        try await TestStore.with { test in
            _ = try await test.store.apps.add("com.example.other")
            _ = try await add(manifest("1.0"), test)
            let other = try await test.store.apps.app("com.example.other")
            #expect(try await test.store.manifests.all(app: other).isEmpty)
        }
    }
}
