import Foundation
import Testing

@testable import WidgetCensusClient

/// A release without the app group, then one with it.
@Suite struct `A group that is added later` {
    private let phone = TestPhone()

    private func withoutGroup() -> WidgetCensus { phone.start(shared: TestPhone.withoutGroup) }

    private func note(_ tag: String, on census: WidgetCensus) {
        census.recorder.note(.opened, Widget("weather", intent: tag))
    }

    private var tags: [String] { phone.server.landed.values.compactMap(\.event.widget?.intent).sorted() }
    private var stranded: [String] {
        phone.disk.state.withValue { $0.files.keys.sorted() }.filter {
            $0.hasPrefix(TestPhone.withoutGroup + "/") && !$0.hasPrefix(TestPhone.own) && !$0.hasSuffix("/unlocked")
        }
    }

    @Test func `keeps an objection, and its erasure that is due`() async {
        let first = withoutGroup()
        note("sent", on: first)
        await first.courier.deliver()
        #expect(first.consents.object())
        let second = phone.start()
        note("never", on: second)
        await second.reportAndSend()
        #expect(
            phone.waiting.isEmpty && phone.server.landed.isEmpty
                && phone.server.state.withValue { $0.forgotten.count } == 1)
        note("never", on: phone.start(isExtension: true))
        #expect(phone.waiting.isEmpty && stranded.isEmpty)
        #expect(second.optIn())
        note("new", on: phone.start())
        await phone.start().courier.deliver()
        #expect(tags == ["new"])
    }

    @Test func `keeps an objection that is newer than an agreement in the group`() async {
        let first = phone.start()
        #expect(first.consents.object() && first.optIn())
        #expect(withoutGroup().consents.object())
        let third = phone.start()
        note("never", on: third)
        await third.courier.deliver()
        #expect(tags == [] && phone.waiting.isEmpty && (try? third.consents.completed()) == .objected)
    }

    @Test func `takes over what waits, and stays one device and one installation`() async {
        let first = withoutGroup()
        note("sent", on: first)
        await first.courier.deliver()
        for number in 0..<3 { note("waits-\(number)", on: first) }
        let second = phone.start()
        note("new", on: second)
        await second.courier.deliver()
        #expect(tags == ["new", "sent", "waits-0", "waits-1", "waits-2"])
        let landed = phone.server.landed.values
        #expect(Set(landed.map(\.device)).count == 1 && Set(landed.map(\.context.installation?.id)).count == 1)
        #expect(
            landed.allSatisfy { $0.times == 1 } && stranded.isEmpty
                && phone.waiting.isEmpty)
    }

    @Test(arguments: 0..<80) func `loses nothing if the process ends meanwhile`(steps: Int) async {
        let first = withoutGroup()
        for number in 0..<3 { note("\(number)", on: first) }
        let files = ProcessFiles(phone.disk, seed: UInt64(steps))
        files.kill(afterSteps: steps)
        await phone.start(files: files).courier.deliver()
        await phone.start().courier.deliver()
        #expect(tags == ["0", "1", "2"] && phone.server.state.withValue { $0.conflicts.isEmpty })
    }

    // MARK: - The keychain

    private final class OneGroup: Keychain {
        let answer: Locked<KeychainAnswer>
        init(_ answer: KeychainAnswer) { self.answer = Locked(answer) }
        func read() -> KeychainAnswer { answer.withValue { $0 } }
        func add(_ id: String) { answer.withValue { if $0 == .absent { $0 = .found(id) } } }
        func remove() { answer.withValue { if $0 != .notNow { $0 = .absent } } }
    }

    @Test func `finds the id of the time before, and moves it`() {
        let (group, before) = (OneGroup(.absent), OneGroup(.found("6F1D")))
        let keychain = GroupKeychain(group: group, before: before)
        #expect(keychain.read() == .found("6F1D") && group.read() == .found("6F1D"))
        keychain.remove()
        #expect(keychain.read() == .absent && before.read() == .absent)
    }

    @Test(arguments: [
        (KeychainAnswer.notNow, KeychainAnswer.found("a"), KeychainAnswer.notNow), (.absent, .notNow, .notNow),
        (.absent, .absent, .absent), (.found("b"), .found("a"), .found("b")),
    ])
    func `says absent only if neither has an id`(group: KeychainAnswer, before: KeychainAnswer, both: KeychainAnswer) {
        #expect(GroupKeychain(group: OneGroup(group), before: OneGroup(before)).read() == both)
    }
}
