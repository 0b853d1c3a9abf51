import Testing

@testable import CensusCore

/// How figures are written for people.
@Suite struct `Figures as text` {
    @Test func `numbers have commas between thousands, and nouns agree with their number`() {
        let figures = [0, 7, 10, 999, 1_000, 12_345, 100_000, 1_000_000, 1_234_567_890, -1, -999, -1_234]
        #expect(
            figures.map(\.grouped) == [
                "0", "7", "10", "999", "1,000", "12,345", "100,000", "1,000,000", "1,234,567,890", "-1", "-999",
                "-1,234",
            ])
        #expect(
            [0, 1, 2, 1_000].map { $0.counted("device") } == ["0 devices", "1 device", "2 devices", "1,000 devices"])
        #expect([1, 2].map { $0.counted("batch") } == ["1 batch", "2 batches"])
        #expect([1, 2].map { $0.counted("file", "was", "were") } == ["1 file was", "2 files were"])
    }

    @Test func `shares have two significant digits and at most five decimals`() {
        let large = [0.5, 0.12345, 0.105, 0.1, 0.0996, 0.0995, 0.0994]
        #expect(large.map(\.asPercentage) == ["50%", "12%", "11%", "10%", "10%", "10%", "9.9%"])
        let small = [0.05, 0.028, 0.012, 0.00999, 0.0001234, 0.000002]
        #expect(small.map(\.asPercentage) == ["5%", "2.8%", "1.2%", "1%", "0.012%", "0.0002%"])
    }

    /// Three of ten million were once "3e-05%".
    @Test func `tiny shares are written without an exponent`() {
        #expect(
            [0.000_001_2, 0.000_000_3, 0.000_000_123_4, 0.000_000_06, 0.000_000_04].map(\.asPercentage)
                == ["0.00012%", "0.00003%", "0.00001%", "0.00001%", "0%"])
    }

    @Test func `a share just below 1 never shows as 100%, and one above 1 shows more`() {
        #expect([0.994, 0.995, 0.999_999, 1, 1.2].map(\.asPercentage) == ["99%", "99%", "99%", "100%", "120%"])
    }

    @Test func `shares are rounded down on request`() {
        let shares = [0.899, 0.0997, 0.0289, 0.9999, 0.57]
        #expect(shares.map { $0.percentage(rounding: .down) } == ["89%", "9.9%", "2.8%", "99%", "57%"])
        // Up to a billionth of a percent below counts as reached.
        #expect((0.57 - 0.9e-11).percentage(rounding: .down) == "57%")
        #expect((0.57 - 1.2e-11).percentage(rounding: .down) == "56%")
    }

    @Test func `a share below its limit doesn't round up to it, and others round as usual`() {
        #expect([0.8999, 0.9, 0.956].map { $0.asPercentage(beside: 0.9) } == ["89%", "90%", "96%"])
    }

    @Test func `every surface but the widget is named`() {
        #expect("widget".onSurface == "" && "widget".surfaceInBrackets == "")
        #expect("control".onSurface == " on control" && "control".surfaceInBrackets == " (control)")
    }

    @Test func `only conditions with a limit are measured`() {
        let names: [Readiness.Condition.Name] = [
            .counted, .fresh, .coverage, .lists, .holders, .days, .replacement, .age, .loss,
        ]
        let measured = names.filter { Readiness.Condition(name: $0, isMet: true, figure: "", limit: "").isMeasured }
        #expect(measured == [.coverage, .lists, .holders, .days, .replacement, .age])
    }
}
