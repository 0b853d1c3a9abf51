import Testing

@testable import CensusCore

/// What holds for every history's spans. A failure names its seed.
@Suite struct `Span properties` {
    static let chunks = `Order properties`.few

    @Test(arguments: chunks) func `spans of a placement follow one another, and neighbours differ`(seeds: Range<UInt64>)
    {
        for seed in seeds {
            let history = RandomHistory(seed)
            let spans = history.fold(history.observations).spans
            #expect(spans.map(\.from) == spans.map(\.from).sorted(), "seed \(seed)")
            // An instance can continue under an id that another one had before.
            if history.isAndroid { continue }
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

    /// A new installation never continues a span, even if its first report says the same.
    private func isRestart(_ span: Span) -> Bool { span.ended?.rule == .reinstall }

    @Test(arguments: chunks) func `the open spans match the placements held`(seeds: Range<UInt64>) {
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

    @Test(arguments: chunks) func `a span begins between the first and last sign of life, and ends within the window`(
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

    @Test(arguments: chunks) func `no removal adds widgets, and no installation takes any away`(seeds: Range<UInt64>) {
        for seed in seeds {
            let history = RandomHistory(seed)
            // A removal and an installation at one instant make one span, which has one cause.
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

    @Test(arguments: chunks)
    func `changes by time alone are between the last observation and the window's end`(
        seeds: Range<UInt64>
    ) {
        for seed in seeds {
            let history = RandomHistory(seed)
            let state = history.fold(history.observations)
            let outlook = history.fold.spans(of: state)
            guard let last = state.lastHeardAt else {
                #expect(outlook.isEmpty, "seed \(seed)")
                continue
            }
            #expect(outlook.clipped(to: last) == state.spans.clipped(to: last), "seed \(seed)")
            let end = history.window.end(lastHeard: last)
            for span in outlook {
                #expect(span.from < end && span.to ?? last < end || span.to == end, "seed \(seed) \(span.line)")
                #expect(span.to.map { span.from < $0 } ?? true, "seed \(seed) \(span.line)")
            }
            for span in Set(outlook).subtracting(state.spans) {
                let rules = [span.from > last ? span.began.rule : .silent, span.ended?.rule ?? .silent]
                #expect(rules.allSatisfy { $0 == .silent || $0 == .today }, "seed \(seed) \(span.line)")
            }
            // A device heard from again at the very end of the window has the foreseen spans.
            var again = history.observations
            guard var witness = again.max(), !state.endedInstallations.contains(witness.installation),
                witness.circumstances.channel == "production", witness.at == last, end > last
            else { continue }
            witness.id = "later"
            witness.at = end
            witness.occurredAt = end
            witness.event = .readFailed(domain: "x", code: 1)
            again.append(witness)
            #expect(history.fold(again).spans == outlook, "seed \(seed)")
        }
    }

    @Test(arguments: chunks) func `a presumed placement was doubted, is an instance or is from a doubted build`(
        seeds: Range<UInt64>
    ) {
        for seed in seeds {
            let history = RandomHistory(seed)
            let isDoubted = history.observations.contains {
                $0.circumstances.osBuild.map(history.doubtedBuilds.contains) ?? false
            }
            guard !history.isAndroid, !isDoubted else { continue }
            let state = history.fold(history.observations)
            for (key, run) in Dictionary(
                grouping: history.fold.spans(of: state),
                by: { SpanHistory.Key(surface: $0.surface, placement: $0.placement) })
            {
                var before: Span?
                for span in run {
                    defer { before = span }
                    guard span.level.presumed > 0 else { continue }
                    let isDoubtedStill = before.map {
                        $0.to == span.from && $0.level.presumed >= span.level.presumed || $0.ended?.rule == .silent
                    }
                    // An event right after a report that doesn't explain it is also an open question (R3).
                    let isDoubt = [.silent, .event, .signOfLife].contains(span.began.rule)
                    // So are observations in an unknown order.
                    let isTied = history.observations.count { $0.at == span.from } > 1
                    #expect(isDoubt || isTied || isDoubtedStill == true, "seed \(seed) \(key) \(span.line)")
                }
            }
        }
    }
}

extension [Span] {
    /// What the spans say about the time before `end`.
    fileprivate func clipped(to end: Timestamp) -> [Span] {
        compactMap { span in
            guard span.from < end else { return nil }
            var span = span
            if span.to.map({ $0 >= end }) ?? true {
                span.to = nil
                span.ended = nil
            }
            return span
        }
    }
}
