import Testing

@testable import CensusCore

/// What every history's spans look like. A failure names its seed.
@Suite struct `Span properties` {
    static let chunks = `Order properties`.chunks

    @Test(arguments: chunks) func `spans of a placement follow one another, and neighbours differ`(seeds: Range<UInt64>)
    {
        for seed in seeds {
            let history = RandomHistory(seed)
            let spans = history.fold(history.observations).spans
            #expect(spans.map(\.from) == spans.map(\.from).sorted(), "seed \(seed)")
            for (_, run) in Dictionary(
                grouping: spans, by: { SpanHistory.Key(surface: $0.surface, placement: $0.placement) })
            {
                for span in run {
                    #expect(span.to.map { span.from < $0 } ?? true, "seed \(seed) \(span.line)")
                    #expect((span.to == nil) == (span.ended == nil), "seed \(seed) \(span.line)")
                }
                for (span, next) in zip(run, run.dropFirst()) {
                    guard let end = span.to, end <= next.from else {
                        Issue.record("seed \(seed): \(span.line) overlaps \(next.line)")
                        continue
                    }
                    #expect(end < next.from || span.level != next.level || isRestart(span), "seed \(seed) \(span.line)")
                }
            }
        }
    }

    /// A new installation starts anew, though its first report may say the same.
    private func isRestart(_ span: Span) -> Bool { span.ended?.rule == .reinstall }

    @Test(arguments: chunks) func `open spans are what is held`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            let state = history.fold(history.observations)
            let open = state.spans.filter { $0.to == nil }
            for span in open {
                #expect(
                    state.surfaces[span.surface]?.holdings[span.placement] == span.level, "seed \(seed) \(span.line)")
            }
            #expect(open.count == state.surfaces.values.reduce(0) { $0 + $1.holdings.count }, "seed \(seed)")
        }
    }

    @Test(arguments: chunks) func `a span lies between the first and the last sign of life, or in the window`(
        seeds: Range<UInt64>
    ) {
        for seed in seeds {
            let history = RandomHistory(seed)
            let state = history.fold(history.observations)
            guard let first = state.firstHeardAt, let last = state.lastHeardAt else {
                #expect(state.spans.isEmpty, "seed \(seed)")
                continue
            }
            for span in state.spans {
                #expect(span.from >= first && span.from <= last, "seed \(seed) \(span.line)")
                #expect(span.to ?? last <= history.window.end(lastHeard: last), "seed \(seed) \(span.line)")
            }
        }
    }

    @Test(arguments: chunks) func `nothing is gained by a removal nor lost by an installation`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            // At one instant a removal and an installation make one span, which has one name.
            let apart = Dictionary(history.observations.map { ($0.at, $0) }, uniquingKeysWith: { one, _ in one }).values
            let spans = history.fold(apart).spans
            for (_, run) in Dictionary(
                grouping: spans, by: { SpanHistory.Key(surface: $0.surface, placement: $0.placement) })
            {
                for (index, span) in run.enumerated() {
                    let isFollowing = index > 0 && run[index - 1].to == span.from && !isRestart(run[index - 1])
                    let gained = span.level.certain - (isFollowing ? run[index - 1].level.certain : 0)
                    let isNamedRight =
                        span.began.cause == .removed ? gained <= 0 : span.began.cause == .installed ? gained >= 0 : true
                    #expect(isNamedRight, "seed \(seed) \(span.line)")
                }
            }
        }
    }
}
