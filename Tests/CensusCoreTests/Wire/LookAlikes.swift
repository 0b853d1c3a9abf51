import Testing

@testable import CensusCore

/// é has two spellings, so a name with ten has a thousand: equal to Swift's `==`, but different to PostgreSQL and to us.
@Suite struct `Look-alikes` {
    private let kinds = (0..<1_000).map { number in
        (0..<40).map { number >> ($0 % 10) & 1 == 0 ? "\u{E9}" : "e\u{301}" }.joined()
    }

    private var report: String { Body.report(kinds.map { #"{"kind":"\#($0)"}"# }.joined(separator: ",")) }

    @Test func `each look-alike is a separate widget`() throws {
        let event = try Body.verdict(on: report).get().event.decoded()
        guard case .reported(let claimed) = event else {
            Issue.record("\(event)")
            return
        }
        #expect(claimed.count == 1_000)
        #expect(claimed.values.allSatisfy { $0 == 1 })
    }

    /// They once shared one hash, so a report of them took six seconds, and a body has room for dozens.
    @Test func `a report full of them is read as quickly as any other`() throws {
        let time = try processorTime { _ = try Body.verdict(on: report) }
        #expect(time < .seconds(1), "\(time)")
    }

    @Test func `an event that renames look-alikes is read as quickly, and renames each`() throws {
        let names = kinds.map { #""\#($0)":"new""# }.joined(separator: ",")
        let body = Body.event(type: "widgets_restored", #""instances":{\#(names)}"#)
        let time = try processorTime {
            guard case .restored(let renamed) = try Body.verdict(on: body).get().event.decoded() else {
                Issue.record("not restored")
                return
            }
            #expect(renamed.count == 1_000)
        }
        #expect(time < .seconds(1), "\(time)")
    }

    /// A reconciler's step gathers the cells of hundreds of devices in one table.
    @Test func `cells and claims are compared and hashed by bytes`() {
        func cells(_ name: String) -> [AnyHashable] {
            let day = Day(daysSince1970: 0)
            let kind = KindCell(day: day, surface: .widget, kind: "weather")
            let claim = Claim(platform: .ios, osVersion: name)
            let traits = Phase.Traits(platform: .ios, osRelease: name, appVersion: name)
            return [
                KindCell(day: day, surface: .widget, kind: name), claim, ClaimCell(claim), VersionCell(traits),
                InstallCell(kind: kind, family: name, version: VersionCell(traits)),
                ChangeCell(kind: kind, family: name, cause: .removed),
            ]
        }
        for (composed, decomposed) in zip(cells("\u{E9}"), cells("e\u{301}")) {
            #expect(composed != decomposed)
            #expect(composed.hashValue != decomposed.hashValue)
        }
    }

    @Test func `texts are compared, hashed and sorted by bytes`() {
        let (composed, decomposed): (Text, Text) = ("\u{E9}", "e\u{301}")
        #expect(composed.text == decomposed.text)
        #expect(composed != decomposed)
        #expect(composed.hashValue != decomposed.hashValue)
        #expect(Set([composed, decomposed, composed]).sorted() == [decomposed, composed])
    }
}
