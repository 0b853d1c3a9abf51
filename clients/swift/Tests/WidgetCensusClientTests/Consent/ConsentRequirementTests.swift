import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Consent that is required` {
    private let phone = TestPhone()

    private func start(isExtension: Bool = false) -> WidgetCensus {
        phone.start(isExtension: isExtension, consent: .required)
    }

    private func note(_ tag: String, on census: WidgetCensus) {
        census.recorder.note(.opened, Widget("weather", intent: tag))
    }

    private var tags: [String] { phone.server.landed.values.compactMap(\.event.widget?.intent).sorted() }

    @Test func `is awaited: until then nothing is stored, sent or made, in the app and its extension`() async {
        let (app, appExtension) = (start(), start(isExtension: true))
        for census in [app, appExtension] {
            note("never", on: census)
            await census.reportAndSend()
            #expect(await census.policy() == .showsAll)
        }
        #expect(!appExtension.optIn())
        #expect(phone.disk.state.withValue { $0.files.isEmpty } && phone.world.withValue { $0.keychain } == .absent)
        #expect(phone.server.state.withValue { $0.requests.isEmpty } && phone.problems.isEmpty)
    }

    @Test func `is given once, for all processes and starts, and is no new device`() async throws {
        phone.world.withValue { $0.keychain = .found("6F1D") }
        let appExtension = start(isExtension: true)
        #expect(start().optIn())
        note("extension", on: appExtension)
        let census = start()
        note("app", on: census)
        await census.courier.deliver()
        #expect(tags == ["app", "extension"] && phone.server.landed.values.allSatisfy { $0.device == "6F1D" })
        #expect(phone.server.landed.values.contains { $0.context.installation?.firstLaunchedAt != nil })
        #expect(census.optIn() && tags == ["app", "extension"])
    }

    @Test func `covers nothing from before it, where an earlier release didn't ask`() async {
        let earlier = phone.start()
        note("sent", on: earlier)
        await earlier.courier.deliver()
        note("waits", on: earlier)
        let installation = phone.server.landed.values.first?.context.installation?.id
        let census = start()
        await census.reportAndSend()
        #expect(tags == ["sent"])
        #expect(census.optIn())
        note("new", on: census)
        await census.courier.deliver()
        #expect(tags == ["new", "sent"])
        #expect(phone.server.landed.values.allSatisfy { $0.context.installation?.id == installation })
    }

    @Test func `ends with an objection`() async {
        let census = start()
        #expect(census.optIn())
        note("sent", on: census)
        await census.courier.deliver()
        #expect(census.consents.object())
        note("never", on: census)
        await census.courier.deliver()
        #expect(tags == [] && phone.waiting.isEmpty && phone.server.state.withValue { $0.forgotten.count } == 1)
    }

    @Test func `is not given if it could not be stored`() async {
        let census = start()
        phone.disk.state.withValue { $0.isFull = true }
        #expect(!census.optIn())
        note("never", on: census)
        phone.disk.state.withValue { $0.isFull = false }
        #expect(phone.waiting.isEmpty && census.optIn())
    }

    @Test func `is awaited by the double, too`() async {
        let double = InMemoryCensus(hiding: ["old_kind"], consent: .required)
        double.opened("weather")
        await double.report()
        #expect(double.events.isEmpty && double.reports == 0 && double.knownPolicy == .showsAll && !double.isOptedOut)
        #expect(double.optIn())
        double.opened("weather")
        #expect(double.events.count == 1 && double.knownPolicy.hides("old_kind"))
    }
}
