import Testing

@testable import CensusCore

/// How many suspects a span settles, how many of them were there, and how long they had been suspect.
@Suite struct `Suspect outcomes` {
    private static let claim = Claim(platform: .ios, osVersion: "14.3", rule: .reinstall)

    /// Suspects from day 4 to day 6.
    private func span(
        certain: Int = 0, suspect: Int, stillThere: Int?, settled: Int = 0, endedBy rule: Rule? = .event,
        claim: Claim? = Self.claim
    ) -> Span {
        Span(
            surface: .widget, placement: .weather, from: .day(4), to: rule.map { _ in .day(6) },
            level: .of(certain: certain, suspect: suspect, reported: certain + suspect), stillThere: stillThere,
            settled: settled, claim: claim, began: Change(.installed, by: .report),
            ended: rule.map { Change(.removed, by: $0) })
    }

    /// Settled, still there, and seconds; nil for none.
    private func outcome(_ span: Span) -> [Int]? {
        var net = NetChanges()
        net.add(
            DeviceReading(
                spans: [span], phases: [], silentAt: .day(30), reportingUntil: nil, dueAt: .day(10), zone: .utc),
            times: 1)
        let cell = OutcomeCell(day: ReportingZone.utc.day(of: .day(6)), claim: ClaimCell(Self.claim))
        #expect(net.outcomes.byCell.keys.allSatisfy { $0 == cell })
        return net.outcomes.byCell[cell].map { [$0.settled, $0.stillThere, $0.seconds] }
    }

    private static let twoDays = 2 * 86_400

    @Test func `a boot settles all suspects`() {
        #expect(outcome(span(suspect: 2, stillThere: 1, endedBy: .reboot)) == [2, 1, 2 * Self.twoDays])
        #expect(outcome(span(suspect: 1, stillThere: 0, endedBy: .reboot)) == [1, 0, Self.twoDays])
    }

    @Test func `a use settles one suspect, in the span that counts it`() {
        #expect(outcome(span(certain: 1, suspect: 1, stillThere: 1, endedBy: .signOfLife)) == [1, 1, Self.twoDays])
        #expect(outcome(span(certain: 2, suspect: 3, stillThere: 2, endedBy: .signOfLife)) == [1, 1, Self.twoDays])
        #expect(outcome(span(suspect: 2, stillThere: 1, endedBy: .signOfLife)) == nil)
    }

    @Test func `any other end settles the suspects it names, and open ones may be the ones still there`() {
        #expect(outcome(span(suspect: 3, stillThere: 2, settled: 2)) == [2, 1, 2 * Self.twoDays])
        #expect(outcome(span(suspect: 3, stillThere: 0, settled: 1)) == [1, 0, Self.twoDays])
        #expect(outcome(span(suspect: 3, stillThere: 3, settled: 3)) == [3, 3, 3 * Self.twoDays])
        #expect(outcome(span(suspect: 3, stillThere: 2)) == nil)
    }

    @Test func `a span without an end, an outcome or a claim settles nothing`() {
        #expect(outcome(span(suspect: 1, stillThere: 1, endedBy: nil)) == nil)
        #expect(outcome(span(suspect: 1, stillThere: nil, endedBy: .reboot)) == nil)
        #expect(outcome(span(suspect: 1, stillThere: 1, endedBy: .reboot, claim: nil)) == nil)
    }
}
