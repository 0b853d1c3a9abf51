import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Objection, killed at every step` {
    /// Events, an objection with its answer, an agreement, events again; killed at the nth step for each n, then begun again.
    @Test func `is carried out, and nothing passes from one device to the next`() async {
        var ends = 0
        for steps in 0..<2000 {
            let phone = TestPhone()
            let files = ProcessFiles(phone.disk, seed: UInt64(steps))
            files.kill(afterSteps: steps)
            await life(of: phone.start(files: files), on: phone, tag: "first")
            if files.isDead { ends += 1 }
            await life(of: phone.start(), on: phone, tag: "second")
            let server = phone.server.state.withValue { $0 }
            #expect(server.senders.values.allSatisfy { $0.count == 1 }, "after \(steps) steps")
            #expect(server.conflicts.isEmpty)
            #expect(server.landed.values.map(\.event.widget?.intent) == ["second-after"], "after \(steps) steps")
            let devices = server.senders.values.reduce(into: Set()) { $0.formUnion($1) }
            #expect(devices.subtracting(server.forgotten) == Set(server.landed.values.map(\.device)))
            #expect(phone.waiting.isEmpty && phone.disk.files(in: TestPhone.shared + "/forget").isEmpty)
            if !files.isDead { break }
        }
        #expect((100..<2000).contains(ends))
        print("objections killed \(ends) times: nothing that was objected to stayed")
    }

    private func life(of census: WidgetCensus, on phone: TestPhone, tag: String) async {
        phone.start(isExtension: true).recorder.note(.rendered, Widget("weather", intent: tag + "-extension"))
        census.recorder.note(.opened, Widget("weather", intent: tag + "-before"))
        await census.courier.deliver()
        census.recorder.note(.opened, Widget("weather", intent: tag + "-waits"))
        _ = census.consents.object()
        await census.courier.deliver()
        _ = census.optIn()
        census.recorder.note(.opened, Widget("weather", intent: tag + "-after"))
        await census.courier.deliver()
    }
}
