import CensusStore
import PostgresTesting
import Testing

@testable import IngestServer

/// Reads of the store, in turns by key.
@Suite struct `Turns at the store` {
    @Test func `one key's reads leave places to other keys`() async throws {
        let usage = KeyUsage(logger: LogRecords().logger)
        let admission = Admission(.gallery, LineLimits(places: 3, placesPerKey: 2, patience: .seconds(60)), usage)
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await admission.ask(.gallery, for: KeyHash([1])) { () throws(StoreError) in
                        begin.yield()
                        for await _ in held {}
                    } != nil
                }
            }
            var iterator = began.makeAsyncIterator()
            for _ in 0..<2 { _ = await iterator.next() }
            for _ in 0..<20 {
                let answer = try await admission.ask(.gallery, for: KeyHash([2])) { () throws(StoreError) in 7 }
                #expect(answer == 7)
            }
            hold.finish()
            for try await isDone in group { #expect(isDone) }
        }
        #expect(usage.greediest.first?.name == "01")
    }

    @Test func `a read that waits too long, or behind too many, never reaches the store`() async throws {
        let usage = KeyUsage(logger: LogRecords().logger)
        let admission = Admission(
            .gallery, LineLimits(places: 1, placesPerKey: 1, waitingPerKey: 1, patience: .milliseconds(50)), usage)
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        async let first: Void? = admission.ask(.gallery, for: KeyHash([1])) { () throws(StoreError) in
            begin.finish()
            for await _ in held {}
        }
        for await _ in began {}
        #expect(try await admission.ask(.gallery, for: KeyHash([2])) { () throws(StoreError) in 7 } == nil)
        hold.finish()
        #expect(try await first != nil)
    }

    @Test func `callers get the store's results and errors`() async throws {
        let usage = KeyUsage(logger: LogRecords().logger)
        let admission = Admission(.gallery, LineLimits(places: 1, placesPerKey: 1, patience: .seconds(1)), usage)
        await #expect(throws: StoreError.self) {
            try await admission.ask(.gallery, for: KeyHash([1])) { () throws(StoreError) -> Int in
                throw StoreError(.away, "away")
            }
        }
        #expect(try await admission.ask(.gallery, for: KeyHash([1])) { () throws(StoreError) in 7 } == 7)
    }
}

extension Admission {
    /// An admission with these limits for one line.
    convenience init(
        _ line: Line, _ limits: LineLimits, _ usage: KeyUsage = KeyUsage(logger: LogRecords().logger)
    ) {
        self.init(
            ServerOptions(), [line: limits], faults: FaultLog(logger: LogRecords().logger), usage: usage,
            metrics: IngestMetrics())
    }
}
