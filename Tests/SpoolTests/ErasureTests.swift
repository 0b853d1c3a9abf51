import CensusCore
import CensusStore
import Foundation
import Spool
import Testing

/// The files contain no byte of an erased device.
@Suite struct `Erasure from a spool` {
    @Test(arguments: [4 << 20, 50_000])
    func `an erasure deletes a device's batches, even those set aside, and keeps others`(segmentBytes: Int) async throws
    {
        let folder = TestSpool()
        let spool = try folder.open(segmentBytes: segmentBytes)
        let secret = try Secret.test
        let device = { (id: String) in secret.device(id, app: "com.example.weather") }
        for number in 0..<200 {
            _ = try await spool.add([
                try .sample("forgotten \(number)", device: "forgotten", padding: number * 40),
                try .sample("other \(number)", device: "other \(number)", padding: 1_000),
            ])
        }
        let oldest = try await spool.oldest(count: 3)
        try await spool.setAside(oldest[0].id, "a reason")
        try await spool.setAside(oldest[1].id, "a reason")
        #expect(try await Set(spool.devicesSetAside()) == [device("forgotten"), device("other 0")])
        #expect(try folder.holds(device("forgotten")))
        #expect(try await spool.erase([device("forgotten"), device("nobody")]) == 200)
        #expect(try !folder.holds(device("forgotten")))
        #expect(try !folder.holds(Array("forgotten 7".utf8)))
        #expect(try folder.holds(device("other 7")))
        #expect(spool.level.batches == 199)
        #expect(spool.level.setAside == 1)
        spool.close()
        let again = try folder.open()
        #expect(again.level.batches == 200, "the next process to open the spool retries batches that were set aside")
        #expect(again.level.bytes == spool.level.bytes)
    }

    @Test func `drained batches leave no bytes in the files`() async throws {
        let folder = TestSpool()
        let spool = try folder.open()
        let secret = try Secret.test
        for number in 0..<300 {
            _ = try await spool.add([
                try .sample("event \(number)", device: "device \(number)", padding: number % 7 * 900)
            ])
        }
        while case let oldest = try await spool.oldest(count: 50), !oldest.isEmpty {
            try await spool.remove(oldest.map(\.id))
        }
        try await spool.compact()
        for number in 0..<300 {
            #expect(try !folder.holds(secret.device("device \(number)", app: "com.example.weather")))
        }
        #expect(try !folder.holds(Array("weather".utf8)))
    }
}
