import Foundation
import SeededRandom
import Testing

@testable import WidgetCensusClient

@Suite(.enabled(if: PhoneTask.ofThisProcess == nil)) struct `Processes` {
    /// The app and its extension append to one folder at once, and are killed again and again.
    @Test func `that are killed lose nothing that was kept, and damage nothing`() async throws {
        let launch = try PhoneLaunch()
        defer { launch.remove() }
        try await withThrowingTaskGroup { group in
            for isExtension in [false, true] {
                group.addTask {
                    var random = Seeded(isExtension ? 1 : 2)
                    for life in 0..<10 {
                        try await launch.run(
                            PhoneTask(
                                folder: launch.folder, isExtension: isExtension, name: "\(isExtension)-\(life)",
                                seed: UInt64(life), events: 100_000),
                            killAfter: .milliseconds(random.below(250)))
                    }
                }
            }
            try await group.waitForAll()
        }
        var queue = EventQueue(folder: Folder(launch.folder + "/group", files: SystemFiles()))
        queue.limits.files = .max
        let names = try queue.names()
        let tags = try names.compactMap { try queue.event($0)?.event.widget?.intent }
        let evicted = try queue.evictions().reduce(0) { $0 + $1.count }
        let (begun, kept) = (try launch.all("begins"), try launch.all("kept"))
        #expect(kept.count > 100)
        #expect(tags.count == names.count && Set(tags).count == tags.count)
        #expect(Set(tags).isSubset(of: begun))
        // A process that is killed while it evicts can't tell how many it has; each of its kills costs one eviction at most.
        let lost = Set(kept).subtracting(tags)
        #expect(lost.count <= evicted + 20 * 51)
        #expect(lost.isEmpty || names.count > 900)
        #expect(try Folder(launch.folder + "/group", files: SystemFiles()).names(in: "aside").isEmpty)
        let context = try queue.event(try #require(names.last))?.context
        #expect(context?.installation != nil)
        print("phones killed 20 times: \(kept.count) events kept, \(names.count) wait, \(lost.count) evicted")
    }
}
