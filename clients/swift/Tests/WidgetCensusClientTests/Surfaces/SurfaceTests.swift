import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Surfaces` {
    private let phone = TestPhone()
    private static let broken = ReadFailure(domain: "CHSErrorDomain", code: 1101)

    private func list(_ surface: Surface, _ widgets: Result<[Widget], ReadFailure>) -> PlacementList {
        PlacementList(surface: surface) { () async throws(ReadFailure) in try widgets.get() }
    }

    private func reports(_ surface: Surface?) -> [Event] {
        phone.server.landed.values.map(\.event).filter { $0.type == .reported && $0.surface == surface }
    }

    @Test func `are reported each by itself, with equal placements counted`() async {
        phone.world.withValue { $0.screen = .success([Widget("weather", family: "systemSmall")]) }
        let census = phone.start(reporting: [
            list(.liveActivity, .success([Widget("ride"), Widget("ride")])),
            list(.control, .success([Widget("light")])),
            list(.liveActivity, .success([Widget("order")])),
        ])
        await census.reportAndSend()
        #expect(reports(nil).map(\.widgets) == [[Widget("weather", family: "systemSmall")]])
        #expect(reports(.control).map(\.widgets) == [[Widget("light")]])
        var rides = Widget("ride")
        rides.count = 2
        #expect(reports(.liveActivity).map(\.widgets) == [[Widget("order"), rides]])
    }

    @Test func `that can't be read are failed reads and never empty, and hide no other`() async {
        let census = phone.start(reporting: [
            list(.control, .failure(Self.broken)),
            list(.liveActivity, .success([Widget("ride")])), list(.liveActivity, .failure(Self.broken)),
        ])
        await census.reportAndSend()
        #expect(reports(nil).map(\.widgets) == [[]])
        for surface in [Surface.control, .liveActivity] {
            #expect(reports(surface).map(\.error) == [Self.broken] && reports(surface).map(\.widgets) == [nil])
        }
    }

    @Test func `that the system lacks are not reported, and neither are those that nobody asked for`() async {
        let none = PlacementList(surface: .control, isAvailable: false) { [] }
        await phone.start(reporting: [none]).reportAndSend()
        #expect(phone.server.landed.count == 1 && reports(nil).count == 1)
    }

    @Test func `stand in an event, unless it is about a widget`() async {
        let census = phone.start()
        census.opened("weather")
        census.opened("light", on: .control)
        await census.send()
        let surfaces = Set(phone.server.landed.values.map { [$0.event.widget?.kind, $0.event.surface?.rawValue] })
        #expect(surfaces == [["weather", nil], ["light", "control"]])
        let bodies = phone.server.state.withValue { $0.requests.compactMap(\.body) }
        #expect(bodies.contains { String(decoding: $0, as: UTF8.self).contains(#""surface":"control""#) })
    }

    // MARK: - Lists that the system delivers

    @Test func `a list that the extension gets is stored as a report, and the app sends it`() async {
        let (app, appExtension) = (phone.start(), phone.start(isExtension: true))
        await app.reportAndSend()
        appExtension.report([Widget("weather", family: "systemSmall"), Widget("weather", family: "systemSmall")])
        await appExtension.send()
        #expect(phone.waiting.count == 1 && phone.server.landed.count == 1)
        await app.send()
        let delivered = reports(nil).filter { $0.source == "extension" }
        #expect(delivered.count == 1 && delivered.first?.widgets?.map(\.count) == [2])
    }

    @Test func `a list that the system delivers is not stored while the user objects`() {
        let census = phone.start()
        #expect(census.consents.object())
        phone.start(isExtension: true).report([Widget("weather")])
        #expect(phone.waiting.isEmpty && phone.disk.files(in: TestPhone.shared + "/named").isEmpty)
    }

    // MARK: - Reads that take time

    @Test(.timeLimit(.minutes(1))) func `a read that never ends is a failed read`() async {
        await #expect(throws: ReadFailure.timeout) {
            try await TimedRead.result(patience: .milliseconds(20)) { _ in }
        }
    }

    @Test func `the first result of a read counts`() async throws {
        let widgets = try await TimedRead.result { take in
            take(.success([Widget("weather")]))
            take(.failure(ReadFailure.timeout))
        }
        #expect(widgets == [Widget("weather")])
    }

    @Test func `an error of the system keeps its domain and code`() async {
        await #expect(throws: Self.broken) {
            try await TimedRead.result { $0(.failure(NSError(domain: "CHSErrorDomain", code: 1101))) }
        }
    }
}
