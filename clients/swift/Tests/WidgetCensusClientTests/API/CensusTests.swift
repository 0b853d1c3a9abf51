import Foundation
import Testing

@testable import WidgetCensusClient

@Suite struct `Calls of the app` {
    @Test func `a report is stored when the call returns, and sent after it`() async {
        let phone = TestPhone()
        phone.server.state.withValue { $0.thinks = .milliseconds(300) }
        let census = phone.start()
        await census.report()
        #expect(phone.waiting.count == 1 && phone.server.landed.isEmpty)
        await census.send()
        #expect(phone.waiting.isEmpty && phone.server.landed.count == 1)
    }

    @Test func `a report that is sent behind the call needs no other call`() async throws {
        let phone = TestPhone()
        await phone.start().report()
        for _ in 0..<500 where phone.server.landed.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(phone.server.landed.count == 1)
    }

    @Test func `an extension reports and sends nothing`() async {
        let phone = TestPhone()
        let census = phone.start(isExtension: true)
        await census.report()
        census.rendered("weather")
        await census.send()
        #expect(phone.waiting.count == 1 && phone.server.state.withValue { $0.requests.isEmpty })
    }

    @Test func `each is named for its event`() async {
        let (phone, double) = (TestPhone(), InMemoryCensus())
        let census = phone.start()
        for census in [census, double] as [any Census] {
            census.installed("k", family: "f", intent: "i")
            census.removed("k", family: "f", intent: "i")
            census.configured("k", family: "f", intent: "i")
            census.opened("k", family: "f", intent: "i")
            census.rendered("k", family: "f", intent: "i")
        }
        await census.send()
        #expect(double.events == WidgetEvent.Act.allCases.map { WidgetEvent($0, "k", family: "f", intent: "i") })
        let landed = phone.server.landed.values.map(\.event)
        #expect(Set(landed.map(\.type)) == Set(Event.Kind.allCases).subtracting([.reported]))
        #expect(landed.allSatisfy { $0.widget == Widget("k", family: "f", intent: "i") && $0.surface == nil })
    }

    // MARK: - URLs of widgets

    @Test(arguments: ["weather", "a&b=c+d e#é/?%", "天気", ""]) func `a widget's URL comes back as its tap`(kind: String)
        throws
    {
        let census = InMemoryCensus()
        let link = try #require(URL(string: "weather-app://city/berlin?day=2&day=3#top"))
        let url = link.naming(widget: kind, family: "systemSmall", intent: "CityIntent")
        #expect(census.opened(url: try #require(URL(string: url.absoluteString))))
        #expect(census.events == [WidgetEvent(.opened, kind, family: "systemSmall", intent: "CityIntent")])
        #expect(url.absoluteString.hasPrefix("weather-app://city/berlin?day=2&day=3&") && url.fragment == "top")
    }

    @Test(arguments: [
        "weather-app://city/berlin", "weather-app:", "https://example.com/?kind=weather", "a?census_kind",
    ])
    func `another URL is no tap`(text: String) throws {
        let census = InMemoryCensus()
        #expect(!census.opened(url: try #require(URL(string: text))) && census.events.isEmpty)
    }

    @Test func `a URL can name the kind alone`() throws {
        let census = InMemoryCensus()
        census.opened(url: try #require(URL(string: "weather-app:")).naming(widget: "weather"))
        #expect(census.events == [WidgetEvent(.opened, "weather")])
    }

    // MARK: - The double

    @Test func `the double keeps the client's promises about objections`() async {
        let double = InMemoryCensus(hiding: ["old_kind"])
        #expect(double.knownPolicy.hides("old_kind") && !double.knownPolicy.hides("weather"))
        #expect(double.knownPolicy.version != nil && InMemoryCensus().knownPolicy == .showsAll)
        await double.report()
        double.opened("weather")
        #expect(double.reports == 1 && double.events.count == 1)
        #expect(double.optOut() && double.isOptedOut)
        await double.report()
        double.opened("weather")
        #expect(double.reports == 0 && double.events.isEmpty)
        #expect(await double.policy() == .showsAll)
        #expect(double.optIn())
        double.opened("weather")
        #expect(double.events.count == 1 && !double.isOptedOut && double.knownPolicy.hides("old_kind"))
    }

    // MARK: - Problems

    @Test(arguments: [
        WidgetCensus.Problem.refused(event: "0193", code: "too_old", message: "is older than 90 days"),
        .dropped(events: 17, status: 422, code: "no_event", message: "has no event"),
        .keyNotAccepted(status: 403, code: "wrong_app", message: "the key is another app's"),
        .notSent(status: nil, code: "NSURLErrorDomain -1004", message: "Could not connect."),
        .notSent(status: 404, code: "", message: ""),
        .notSent(status: 431, code: "head_too_large", message: "too large"),
        .notSent(status: 503, code: "queue_full", message: "the queue is full"), .invalidURL("census.example.com"),
        .notStored, .noAppGroup,
    ]) func `a problem says what happened and what to do`(problem: WidgetCensus.Problem) throws {
        let said = try #require(problem.errorDescription)
        #expect((problem as any Error).localizedDescription == said)
        #expect(try #require(problem.recoverySuggestion).count > 20 && said.hasSuffix(".") || said.hasSuffix(")"))
        let values = Mirror(reflecting: problem).children.flatMap { Mirror(reflecting: $0.value).children.map(\.value) }
        for value in values {
            if let text = value as? String, !text.isEmpty { #expect(said.contains(text)) }
            if let number = value as? Int { #expect(said.contains("\(number)")) }
        }
    }

    @Test(arguments: [400, 405, 407, 409, 431, 451, 408, 429, 503, 200])
    func `only a busy service or a login page needs nothing`(status: Int) throws {
        let problem = WidgetCensus.Problem.notSent(status: status, code: "", message: "")
        let isTemporary = [408, 429, 503, 200].contains(status)
        #expect(try #require(problem.recoverySuggestion).hasPrefix("Nothing needs to be done") == isTemporary)
    }
}
