import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Kill at every step` {
    /// A first launch, events, a sending with its answer, an eviction; killed at the nth step for each n, then started again.
    @Test func `loses nothing that was kept, and sends nothing twice under another name`() async {
        var ends = 0
        var (all, gone, told) = (0, 0, 0)
        for steps in 0..<2000 {
            let phone = TestPhone()
            let files = ProcessFiles(phone.disk, seed: UInt64(steps))
            files.kill(afterSteps: steps)
            var kept = await life(of: phone.start(files: files, limits: .small), files: files, tags: "first")
            if files.isDead { ends += 1 }
            let again = ProcessFiles(phone.disk)
            kept += await life(of: phone.start(files: again, limits: .small), files: again, tags: "second")
            let tags = phone.server.landed.values.compactMap(\.event.widget?.intent)
            let lost = Set(kept).subtracting(tags).count
            let evicted = phone.server.state.withValue { $0.evicted }
            (all, gone, told) = (all + kept.count, gone + lost, told + evicted)
            #expect(lost <= evicted + (files.isDead ? 1 : 0), "after \(steps) steps")
            #expect(Set(tags).count == tags.count)
            #expect(phone.server.state.withValue { $0.conflicts }.isEmpty)
            #expect(phone.disk.files(in: TestPhone.shared + "/aside").isEmpty)
            #expect(phone.waiting.isEmpty)
            if !files.isDead { break }
        }
        // The whole life was walked through, and it is as long as it looks.
        #expect((80..<2000).contains(ends))
        print("killed at each of \(ends) steps: \(all) events kept, \(gone) evicted, \(told) told, none twice")
    }

    private func life(of census: WidgetCensus, files: ProcessFiles, tags: String) async -> [String] {
        var kept: [String] = []
        for number in 0..<6 {
            let tag = "\(tags)-\(number)"
            census.recorder.note(.configured, Widget("weather", intent: tag))
            if !files.isDead { kept.append(tag) }
        }
        await census.courier.deliver()
        return kept
    }
}

extension QueueLimits {
    /// The last event of a life evicts the first.
    fileprivate static let small = QueueLimits(files: 5, bytes: 1 << 20)
}
