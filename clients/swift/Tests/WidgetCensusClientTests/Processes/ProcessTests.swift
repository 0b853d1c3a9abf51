import Foundation
import Testing

@testable import WidgetCensusClient

@Suite(.enabled(if: ClientPackage.isOnLinux && PhoneTask.ofThisProcess == nil)) struct `Processes` {
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

    /// Both go on noting what happens, as fast as they can, until they are killed.
    @Test func `that run keep nothing while the user objects, wherever they said so`() async throws {
        let launch = try PhoneLaunch()
        defer { launch.remove() }
        let group = Folder(launch.folder + "/group", files: SystemFiles())
        let device = DeviceIdentity(keychain: FileKeychain(path: launch.folder + "/keychain"), folder: group)
        let own = Folder(launch.folder + "/app", files: SystemFiles())
        let consents = ConsentEnforcer(shared: group, own: own, device: device)
        let queue = EventQueue(folder: group)
        try await withThrowingTaskGroup { tasks in
            for isExtension in [false, true] {
                tasks.addTask {
                    try await launch.run(
                        PhoneTask(
                            folder: launch.folder, isExtension: isExtension, name: "\(isExtension)", seed: 0,
                            events: 1_000_000),
                        killAfter: .seconds(300))
                }
            }
            try await until { launch.lines(of: "true").count > 50 && launch.lines(of: "false").count > 50 }
            for _ in 0..<3 {
                #expect(consents.object())
                // Each can be within a call.
                try await Task.sleep(for: .milliseconds(200))
                #expect(try consents.completed() == .objected)
                try await Task.sleep(for: .milliseconds(200))
                #expect(
                    try queue.names() == []
                        && !FileManager.default.fileExists(atPath: own.path + "/state/installation.json"))
                #expect(consents.agree())
                let era = try consents.completed()
                try await until { try queue.names().count > 10 }
                for name in try queue.names() {
                    if let event = try queue.event(name) { #expect(.given(era: event.era) == era) }
                }
            }
            tasks.cancelAll()
        }
    }

    private func until(_ isSo: () throws -> Bool) async throws {
        // Three suites might share two slow processors.
        let deadline = ContinuousClock.now + .seconds(90)
        while ContinuousClock.now < deadline {
            if try isSo() { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        Issue.record("it has not happened in time")
    }
}
