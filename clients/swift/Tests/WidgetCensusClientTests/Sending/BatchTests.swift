import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Batches` {
    private static func queue(_ events: [QueuedEvent]) throws -> EventQueue {
        let queue = EventQueue(folder: Folder("/q", files: ProcessFiles(MemoryDisk())))
        for event in events { try queue.append(event) }
        return queue
    }

    private func oldest(_ queue: EventQueue, limit: Int = 100) throws -> Batch? {
        try Batch.oldest(of: queue.names(), limit: limit) { (name) throws(FileFailure) in try queue.event(name) }
    }

    @Test func `hold 100 events at most, the oldest`() throws {
        let events = (0..<150).map { number in
            QueuedEvent.sample(at: Date(timeIntervalSince1970: Double(number)), tag: "\(number)")
        }
        let batch = try #require(try oldest(Self.queue(events.shuffled())))
        #expect(batch.events == events[..<100].map(\.event))
    }

    @Test func `hold 256 KiB at most, and one event however large it is`() throws {
        func large(_ number: Int, _ widgets: Int) -> QueuedEvent {
            var event = QueuedEvent.sample(.reported, at: Date(timeIntervalSince1970: Double(number)), tag: "\(number)")
            event.event.widgets = (0..<widgets).map { Widget("kind-\($0)", family: "systemSmall") }
            return event
        }
        let few = try #require(try oldest(Self.queue((0..<10).map { large($0, 1000) })))
        #expect((5...7).contains(few.events.count))
        #expect(few.names.reduce(0) { $0 + $1.bytes } <= 256 << 10)
        #expect(try oldest(Self.queue([large(0, 9000), large(1, 1)]))?.events.count == 1)
    }

    @Test(arguments: UInt64(0)..<50) func `mix no contexts, and leave nothing behind`(seed: UInt64) throws {
        var random = Seeded(seed)
        let events = (0..<40).map { number in
            QueuedEvent.sample(
                at: Date(timeIntervalSince1970: Double(number)), tag: "\(number)", galleryPolicy: random.below(3))
        }
        let queue = try Self.queue(events)
        var sent: [Event] = []
        while let batch = try oldest(queue, limit: 1 + random.below(20)) {
            let expected = events.filter { event in batch.events.contains(event.event) }
            #expect(expected.allSatisfy { $0.context == batch.context })
            sent += batch.events
            try queue.remove(batch.names)
        }
        #expect(sent.map(\.id).sorted() == events.map(\.event.id).sorted())
    }

    @Test func `are compressed above 1 KiB, and say the same`() throws {
        for count in [1, 2, 100] {
            let events = (0..<count).map { QueuedEvent.sample(tag: "\($0)") }
            var batch = try #require(try oldest(Self.queue(events)))
            batch.evicted = 7
            let now = Date(timeIntervalSince1970: 1_790_000_000.25)
            let request = try #require(batch.request(device: "6F1D", now: now))
            let wire = try #require(WireBatch(request))
            #expect(wire.events.map(\.id).sorted() == events.map(\.event.id).sorted())
            #expect(wire.sentAt == now && wire.device.id == "6F1D" && wire.evicted == 7)
            #expect(wire.context == events[0].context)
            let isCompressed = request.headers["Content-Encoding"] == "gzip"
            #expect(isCompressed == (count == 100))
            if isCompressed { #expect((request.body?.count ?? .max) < 4 << 10) }
        }
    }

    @Test func `have the contract's names`() throws {
        let request = try #require(
            try oldest(Self.queue([.sample(tag: "t")]))?.request(device: "6F1D", now: Date(timeIntervalSince1970: 0)))
        let text = String(decoding: try #require(request.body), as: UTF8.self)
        for part in [
            #""sent_at":"1970-01-01T00:00:00.000Z""#, #""device":{"id":"6F1D","os_version":"26.1","platform":"ios"}"#,
            #""installation":{"id":"A0C2"}"#, #""type":"widget_opened""#,
            #""widget":{"family":"systemSmall","intent":"t","kind":"weather"}"#,
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        #expect(request.path == "/v1/events" && request.headers["Content-Type"] == "application/json")
    }
}
