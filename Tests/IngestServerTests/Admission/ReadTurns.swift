import CensusStore
import PostgresTesting
import Testing

@testable import IngestServer

/// Few reads run at once, and the others wait for a limited time.
@Suite struct `Read places` {
    @Test func `one key never takes the last place for reads, and all of its reads get their turn`() async throws {
        let admission = Admission(
            .reads, LineLimits(places: 3, placesPerKey: 2, waitingPerKey: 50, waiting: 100, patience: .seconds(60)))
        let most = try await withThrowingTaskGroup(of: Int.self) { group in
            let running = Running()
            for _ in 0..<40 {
                group.addTask {
                    try await admission.read(for: .nobody) {
                        let now = await running.enter()
                        try await Task.sleep(for: .milliseconds(1))
                        await running.leave()
                        return now
                    }
                }
            }
            var turns: [Int] = []
            for try await now in group { turns.append(now) }
            #expect(turns.count == 40)
            return turns.max()
        }
        #expect(most == 2)
    }

    @Test func `a read past the queue's limit or the longest wait gets 503, and leaves its place free`()
        async throws
    {
        let admission = Admission(
            .reads, LineLimits(places: 1, waitingPerKey: 1, waiting: 1, patience: .milliseconds(50)))
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let (entered, enter) = AsyncStream.makeStream(of: Void.self)
        async let reader: Void = admission.read(for: .nobody) {
            enter.finish()
            for await _ in held {}
        }
        for await _ in entered {}
        let problems = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    do { try await admission.read(for: .nobody) {} } catch let problem as Problem {
                        return problem.code
                    } catch {}
                    return nil
                }
            }
            return await group.reduce(into: [String?]()) { $0.append($1) }
        }
        #expect(problems == ["readers_wait", "readers_wait", "readers_wait"])
        hold.finish()
        try await reader
        try await admission.read(for: .nobody) {}
    }

    /// One key's slow reads once blocked those of every other key.
    @Test func `one key's slow readers do not delay another key's`() async throws {
        let admission = Admission(
            .reads, LineLimits(places: 3, placesPerKey: 2, waitingPerKey: 32, waiting: 64, patience: .seconds(60)))
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let slow = Running()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await admission.read(for: KeyHash([1])) {
                        _ = await slow.enter()
                        for await _ in held {}
                    }
                }
            }
            try #require(await eventually { await slow.count == 2 })
            for _ in 0..<10 { try await admission.read(for: KeyHash([2])) {} }
            #expect(await slow.count == 2)
            hold.finish()
            try await group.waitForAll()
        }
        #expect(await slow.count == 20)
    }

    private actor Running {
        private(set) var count = 0

        func enter() -> Int {
            count += 1
            return count
        }

        func leave() { count -= 1 }
    }
}
