import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Event queue` {
    private let disk = MemoryDisk()
    private func queue(limits: QueueLimits = QueueLimits(), files: (any Files)? = nil) -> EventQueue {
        EventQueue(folder: Folder("/q", files: files ?? ProcessFiles(disk)), limits: limits)
    }

    @Test func `gives back what was appended, by any process, in the order of time`() throws {
        let app = queue()
        let appExtension = queue()
        let events = (0..<20).map { number in
            QueuedEvent.sample(at: Date(timeIntervalSince1970: 1_790_000_000 + Double(number)), tag: "e\(number)")
        }
        for (number, event) in events.enumerated().reversed() {
            try (number.isMultiple(of: 2) ? app : appExtension).append(event)
        }
        #expect(try app.names().map { try app.event($0) } == events)
    }

    @Test func `tells what was evicted, once it can`() throws {
        let queue = queue(limits: QueueLimits(files: 10, bytes: 1 << 20))
        for number in 0..<50 { try queue.append(.sample(.configured, tag: "e\(number)")) }
        #expect(try queue.names().count == 10)
        #expect(try queue.evictions().reduce(0) { $0 + $1.count } == 40)
    }

    @Test func `keeps few marks of evictions, however many there were`() throws {
        let queue = queue(limits: QueueLimits(files: 10, bytes: 1 << 20))
        for number in 0..<200 { try queue.append(.sample(.reported, tag: "e\(number)")) }
        #expect(try queue.evictions().count == 16)
        #expect(try queue.evictions().reduce(0) { $0 + $1.count } == 190)
    }

    @Test(arguments: ["", "{", "[]", #"{"format":1}"#, #"{"format":0}"#, "\u{0}\u{0}"])
    func `sets aside what is damaged, and goes on`(text: String) throws {
        let queue = queue()
        try queue.append(.sample(tag: "good"))
        let damaged = EventName(at: .distantPast, serial: "000001-0", rank: .opened, bytes: text.utf8.count)
        disk.state.withValue { $0.files["/q/queue/" + damaged.text] = Data(text.utf8) }
        #expect(try queue.names().compactMap { try queue.event($0)?.event.id } == ["good"])
        #expect(try queue.names().count == 1)
        #expect(disk.files(in: "/q/aside") == ["/q/aside/" + damaged.text])
    }

    @Test func `sets aside a file that is shorter than its name says`() throws {
        let queue = queue()
        try queue.append(.sample())
        let path = try #require(disk.files(in: "/q/queue").first)
        disk.state.withValue { $0.files[path]?.append(32) }
        #expect(try queue.names().compactMap { try queue.event($0) }.isEmpty)
        #expect(disk.files(in: "/q/aside").count == 1)
    }

    @Test func `keeps twenty damaged files at most`() throws {
        let queue = queue()
        try queue.append(.sample(tag: "good"))
        for number in 0..<50 {
            let name = EventName(
                at: Date(timeIntervalSince1970: Double(number)), serial: "1-0", rank: .opened, bytes: 1)
            disk.state.withValue { $0.files["/q/queue/" + name.text] = Data("{".utf8) }
        }
        for name in try queue.names() { _ = try queue.event(name) }
        #expect(disk.files(in: "/q/aside").count == 20)
    }

    @Test func `leaves what a newer version wrote to that version`() throws {
        let queue = queue()
        let text = #"{"format":99,"all":"different"}"#
        try queue.append(.sample(tag: "good"))
        let newer = EventName(at: .distantPast, serial: "000001-0", rank: .opened, bytes: text.utf8.count)
        disk.state.withValue { $0.files["/q/queue/" + newer.text] = Data(text.utf8) }
        #expect(try queue.names().compactMap { try queue.event($0)?.event.id } == ["good"])
        #expect(try queue.names().count == 2)
    }

    @Test func `deletes nothing while the device is locked`() throws {
        let queue = queue()
        try queue.append(.sample())
        disk.state.withValue { $0.isLocked = true }
        #expect(throws: FileFailure.notNow) { try queue.names() }
        #expect(throws: FileFailure.notNow) { try queue.append(.sample(tag: "other")) }
        disk.state.withValue { $0.isLocked = false }
        #expect(try queue.names().count == 1)
        #expect(disk.files(in: "/q/aside").isEmpty)
    }

    @Test func `says that the disk is full, and leaves no drafts`() throws {
        let queue = queue()
        try queue.append(.sample())
        disk.state.withValue { $0.isFull = true }
        #expect(throws: FileFailure.full) { try queue.append(.sample(tag: "other")) }
        #expect(disk.files(in: "/q/new").isEmpty)
    }

    /// A crash loop would fill the disk, one draft at a time.
    @Test func `sweeps the drafts of killed processes`() throws {
        try queue().append(.sample())
        for seed in 0..<200 {
            let files = ProcessFiles(disk, seed: UInt64(seed))
            files.kill(afterSteps: seed % 6)
            _ = try? queue(files: files).append(.sample(.configured, tag: "\(seed)"))
        }
        #expect((1...17).contains(disk.files(in: "/q/new").count))
    }

    @Test func `expires only by both clocks`() throws {
        let queue = queue()
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let day: TimeInterval = 24 * 3600
        try queue.append(.sample(at: now - 86 * day, tag: "old"))
        try queue.append(.sample(at: now - 84 * day, tag: "young"))
        // A clock four years ahead of the server's.
        try queue.removeExpired(now: now + 1461 * day, doorTime: now - 10 * day)
        #expect(try queue.names().count == 2)
        try queue.removeExpired(now: now, doorTime: now + 1461 * day)
        #expect(try queue.names().map { try queue.event($0)?.event.id } == ["young"])
    }
}
