import Testing

@testable import CensusCore

/// The writes that turn a device's stored spans into those of a new reading.
@Suite struct `Span difference` {
    private func span(_ placement: Placement, _ from: Int64, _ to: Int64? = nil, count: Int = 1) -> Span {
        Span(
            surface: .widget, placement: placement, from: .day(from), to: to.map { .day($0) },
            level: Level(certain: count), began: Change(.installed, by: .report),
            ended: to.map { _ in Change(.removed, by: .report) })
    }

    @Test func `equal readings have no difference`() {
        let difference = SpanDifference(
            stored: [4: span(.weather, 1), 2: span(.search, 1)],
            spans: [
                span(.search, 1), span(.weather, 1),
            ])
        #expect(difference.gone == [])
        #expect(difference.added.isEmpty)
        #expect(difference.lastOrdinal == 4)
        #expect(difference.changedFrom == nil)
    }

    @Test func `new spans get the ordinals after the highest one in use`() {
        let difference = SpanDifference(
            stored: [1: span(.weather, 1)], spans: [span(.weather, 1), span(.search, 2), span(.search, 3)],
            lastOrdinal: 7)
        #expect(difference.added.map(\.ordinal) == [8, 9])
        #expect(difference.added.map(\.span.from) == [.day(2), .day(3)])
        #expect(difference.lastOrdinal == 9)
        #expect(difference.changedFrom == .day(2))
        #expect(SpanDifference(stored: [:], spans: [span(.weather, 1)]).added.map(\.ordinal) == [1])
        #expect(SpanDifference(stored: [3: span(.weather, 1)], spans: []).lastOrdinal == 3)
        #expect(SpanDifference(stored: [:], spans: []).lastOrdinal == 0)
    }

    @Test func `one of two equal spans is gone if the reading has only one`() {
        let difference = SpanDifference(
            stored: [1: span(.weather, 1), 2: span(.weather, 1)], spans: [span(.weather, 1)])
        #expect(difference.gone.count == 1)
        #expect(difference.added.isEmpty)
        #expect(difference.changedFrom == .day(1))
    }

    @Test func `a span whose end moves differs from the earlier of its ends`() {
        for (old, new, from) in [(5, 9, 5), (9, 5, 5), (nil, 6, 6), (6, nil, 6)] as [(Int64?, Int64?, Int64)] {
            let difference = SpanDifference(stored: [1: span(.weather, 1, old)], spans: [span(.weather, 1, new)])
            #expect(difference.gone == [1])
            #expect(difference.added.map(\.ordinal) == [2])
            #expect(difference.changedFrom == .day(from))
        }
    }

    @Test func `a span whose level changes differs from its start`() {
        let difference = SpanDifference(
            stored: [1: span(.weather, 2, 9), 2: span(.search, 4, 9)],
            spans: [span(.weather, 2, 9, count: 2), span(.search, 4, 8)])
        #expect(difference.gone == [1, 2])
        #expect(difference.changedFrom == .day(2))
    }
}
