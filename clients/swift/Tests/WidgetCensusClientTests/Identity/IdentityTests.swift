import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Device identity` {
    private final class Key: Keychain {
        let answer: Locked<KeychainAnswer>
        let added = Locked<[String]>([])
        /// Whether it takes an id, and whose it has then.
        let keeps: Bool
        let other: String?

        init(_ answer: KeychainAnswer, keeps: Bool = true, other: String? = nil) {
            self.answer = Locked(answer)
            self.keeps = keeps
            self.other = other
        }

        func read() -> KeychainAnswer { answer.withValue { $0 } }

        func add(_ id: String) {
            added.withValue { $0.append(id) }
            if keeps { answer.withValue { $0 = .found(other ?? id) } }
        }

        func remove() { answer.withValue { $0 = .absent } }
    }

    private let disk = MemoryDisk()
    private func identity(_ key: Key) -> DeviceIdentity {
        DeviceIdentity(keychain: key, folder: Folder("/q", files: ProcessFiles(disk)))
    }

    @Test func `is made once, where there is certainly none`() throws {
        let key = Key(.absent)
        let id = try #require(identity(key).id(in: nil))
        #expect(UUID(uuidString: id) != nil)
        #expect(identity(key).id(in: nil) == id)
        #expect(key.added.withValue { $0 } == [id])
    }

    @Test func `is not made while the keychain can't look`() {
        let key = Key(.notNow)
        #expect(identity(key).id(in: nil) == nil)
        #expect(key.added.withValue { $0.isEmpty })
        key.answer.withValue { $0 = .found("6F1D") }
        #expect(identity(key).id(in: nil) == "6F1D")
    }

    /// Woken before the first unlock, the keychain says "not found" for what it can't read.
    @Test func `is not made before the first unlock, whatever the keychain says`() {
        let key = Key(.absent)
        disk.state.withValue { $0.isLocked = true }
        #expect(identity(key).id(in: nil) == nil)
        #expect(key.added.withValue { $0.isEmpty })
        disk.state.withValue { $0.isLocked = false }
        #expect(identity(key).id(in: nil) != nil)
    }

    @Test func `is not used if the keychain did not keep it`() {
        #expect(identity(Key(.absent, keeps: false)).id(in: nil) == nil)
    }

    @Test func `is that of the process that was first`() {
        #expect(identity(Key(.absent, other: "6F1D")).id(in: nil) == "6F1D")
    }
}

@Suite struct `Installations` {
    private let phone = TestPhone()

    private func context(isExtension: Bool = false) -> EventContext.Installation? {
        let census = phone.start(isExtension: isExtension)
        phone.pass(1)
        census.recorder.note(.opened, Widget("weather"))
        let names = (try? census.queue.names()) ?? []
        return names.last.flatMap { try? census.queue.event($0) }?.context.installation
    }

    private func reboot(to session: String?) { phone.world.withValue { $0.bootSession = session } }

    @Test func `know whether the device restarted since the first launch`() {
        #expect(context()?.rebooted == false)
        reboot(to: "boot-2")
        #expect(context()?.rebooted == true)
        #expect(context(isExtension: true)?.rebooted == true)
        reboot(to: nil)
        #expect(context()?.rebooted == nil)
    }

    @Test func `don't know of restarts before the update that brought the client`() {
        phone.world.withValue { $0.documentsCreated = $0.now.addingTimeInterval(-86400) }
        let first = context()
        #expect(first?.rebooted == nil && first?.firstLaunchedAt == phone.clock.addingTimeInterval(-86401))
        reboot(to: "boot-2")
        #expect(context()?.rebooted == true)
    }

    @Test func `don't know of restarts where no boot session can be read`() {
        reboot(to: nil)
        #expect(context()?.rebooted == nil)
        reboot(to: "boot-2")
        #expect(context()?.rebooted == nil)
    }

    @Test(arguments: [-3600.0, -2, 31, 1e9])
    func `take a folder of another time for no first launch`(age: Double) {
        phone.world.withValue { $0.documentsCreated = $0.now.addingTimeInterval(-age) }
        #expect(context()?.rebooted == nil)
    }

    @Test func `are the same for all processes, and new after a reinstall`() throws {
        let id = try #require(context()?.id)
        #expect(context()?.id == id && context(isExtension: true)?.id == id)
        // The app's container goes. The group's stays, if another app of the group does.
        phone.disk.state.withValue { state in
            for path in state.files.keys where path.hasPrefix(TestPhone.own) { state.files[path] = nil }
        }
        let next = try #require(context()?.id)
        #expect(next != id && context(isExtension: true)?.id == next)
    }

    @Test func `are not made again while the device is locked`() throws {
        let id = try #require(context()?.id)
        phone.disk.state.withValue { $0.isLocked = true }
        _ = context()
        phone.disk.state.withValue { $0.isLocked = false }
        #expect(context()?.id == id)
    }

    @Test func `are found again in the group if their file is damaged`() throws {
        let id = try #require(context()?.id)
        phone.disk.state.withValue { $0.files[TestPhone.own + "/state/installation.json"] = Data("{".utf8) }
        #expect(context()?.id == id)
    }
}

extension WidgetCensus {
    fileprivate var queue: EventQueue { EventQueue(folder: gallery.folder) }
}
