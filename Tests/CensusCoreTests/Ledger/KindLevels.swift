import Testing

@testable import CensusCore

/// How one device counts for a kind, in cases that random devices don't reach.
@Suite struct `Kind levels` {
    private func span(_ level: Level, claim: Claim? = nil, stillThere: Int? = nil) -> Span {
        Span(
            surface: .widget, placement: .weather, from: .day(1), level: level, stillThere: stillThere, claim: claim,
            began: Change(.installed, by: .report))
    }

    private func unsettled(_ spans: [Span]) -> ClaimCell? {
        KindLevel(spans, phase: nil, isSilent: false).unsettled
    }

    private static let claims = [
        Claim(platform: .android, osVersion: "9.0", rule: .reinstall), Claim(platform: .ios, osVersion: nil),
        Claim(platform: .ios, osVersion: "14.3", rule: .freshInstall),
        Claim(platform: .ios, osVersion: "14.3", rule: .reinstall), Claim(platform: .ios, osVersion: "15.0"),
        Claim(platform: .ipados, osVersion: "14.0", rule: .freshInstall),
    ]

    @Test func `the last of several claims by platform, version and rule counts, in any order`() {
        for (position, one) in Self.claims.enumerated() {
            for (place, other) in Self.claims.enumerated() {
                let spans = [one, other].map { span(.of(suspect: 1, reported: 1), claim: $0) }
                #expect(unsettled(spans) == ClaimCell(Self.claims[max(position, place)]))
                #expect(ClaimCell(one).precedes(ClaimCell(other)) == (position < place))
            }
        }
    }

    @Test func `a claim is open only while its suspects are unsettled and nothing else is held`() {
        let claim = Self.claims[0]
        #expect(unsettled([span(.of(reported: 1), claim: claim)]) == nil)
        #expect(unsettled([span(.of(suspect: 1, reported: 1), claim: claim, stillThere: 0)]) == nil)
        #expect(unsettled([span(.of(suspect: 1, reported: 1), claim: claim)]) == ClaimCell(claim))
        #expect(
            unsettled([span(.of(suspect: 1, reported: 1), claim: claim), span(.of(certain: 1, reported: 1))]) == nil)
        #expect(
            unsettled([span(.of(suspect: 1, reported: 1), claim: claim), span(.of(presumed: 1, reported: 1))]) == nil)
    }

    @Test func `only a silent device counts as silent`() {
        #expect(KindLevel([], phase: nil, isSilent: true).amounts.devicesSilent == 1)
        #expect(KindLevel([], phase: nil, isSilent: false).amounts == KindAmounts())
        #expect(KindLevel([span(.of(certain: 1, reported: 1))], phase: nil, isSilent: false).amounts.devicesSilent == 0)
    }

    @Test func `a scope's name lists what it distinguishes`() {
        #expect(ActiveScope.everyone.name == "all")
        #expect(ActiveScope(surface: .widget).name == "surface")
        #expect(ActiveScope(surface: .widget, family: "systemSmall").name == "family")
        #expect(ActiveScope(surface: .widget, kind: "weather").name == "kind")
        #expect(ActiveScope(surface: .widget, kind: "weather", family: "systemSmall").name == "kind_family")
    }
}
