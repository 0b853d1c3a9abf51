import CensusCore
import Testing

@testable import CensusStore
@testable import Pages

/// What charts draw, and what they say in words.
@Suite struct `Charts` {
    private let first = Day(daysSince1970: 20_769)

    private func cell(_ day: Int, _ certain: Int, _ possible: Int) -> CountedCell {
        CountedCell(
            day: first + day, surface: .widget, kind: "weather", certain: certain, possible: possible,
            expected: Double(certain), reported: possible + 1)
    }

    @Test func `a day that is not closed is a gap, and a closed day without a cell is zero`() {
        let series = CountSeries(
            [cell(0, 2, 3), cell(3, 4, 5)], closed: [first, first + 1, first + 3], from: first, through: first + 3)
        #expect(series.counts.map { $0?.possible } == [3, 0, nil, 5])
        #expect(series.latest?.day == first + 3)
        #expect(series.largest == 6)
    }

    @Test func `a line has one piece per run of known days and gaps between them`() {
        let path = StepPath(left: 0, width: 10)
        #expect(path.line([5, 5, 3, nil, nil, 1]) == "M0 5h20v-2h10M50 1h10")
        #expect(path.line([nil, nil]) == "")
    }

    @Test func `a band steps from day to day and closes around each run`() {
        let path = StepPath(left: 0, width: 10)
        #expect(path.band([1, nil, 2], [4, nil, 3]) == "M0 1h10v3h-10zM20 2h10v1h-10z")
    }

    @Test func `a title states the bounds, the unit and the day`() {
        let closed = Set((0...3).map { first + $0 })
        func finding(_ certain: Int, _ possible: Int) -> String {
            CountSeries([cell(3, certain, possible)], closed: closed, from: first, through: first + 3).finding(
                "weather")
        }
        #expect(finding(18_204, 19_377) == "weather: between 18,204 and 19,377 devices on 15 Nov")
        #expect(finding(1, 1) == "weather: 1 device on 15 Nov")
        let unknown = CountSeries([], closed: [], from: first, through: first + 3)
        #expect(unknown.finding("weather") == "weather: no day is closed yet")
    }

    @Test func `a scale ends at a round number at or above the largest value`() {
        for (largest, maximum) in [
            (0, 2), (1, 2), (2, 2), (3, 4), (19, 20), (21, 40), (81, 100), (100, 100), (101, 200),
        ] {
            #expect(Scale(upTo: largest, height: 100).maximum == maximum, "\(largest)")
        }
        #expect(Scale(upTo: 100, height: 100).y(25) == 75)
    }

    @Test func `pixel values are written as briefly as possible`() {
        #expect([12, 12.5, 0, -0.5, 0.04, -12.34].map(\.pixels) == ["12", "12.5", "0", "-.5", "0", "-12.3"])
    }

    @Test func `a chart carries each day's figures for the script`() throws {
        let closed: Set = [first, first + 1, first + 3, first + 4]
        let series = CountSeries(
            [cell(0, 2, 3), cell(1, 2, 3), cell(4, 4, 5)], closed: closed, from: first, through: first + 4)
        let chart = BandChart(series: series, kind: "weather", marks: [], largest: 6).html.description
        #expect(chart.contains(" data-first=\"2026-11-12\" data-names=\"certain\npossible\nexpected\nreported\""))
        #expect(chart.contains("data-days=\"2 3 2 4;=;;0 0 0 0;4 5 4 6\""))
    }

    @Test func `a chart's scale is labelled beside it, and its drawing has no fixed width`() {
        let closed = Set((0...3).map { first + $0 })
        let series = CountSeries([cell(3, 81, 99)], closed: closed, from: first, through: first + 3)
        let chart = BandChart(series: series, kind: "weather", marks: [], largest: series.largest).html.description
        for level in ["0", "50", "100"] { #expect(chart.contains("text-anchor=\"end\">\(level)</text>")) }
        #expect(chart.contains("viewBox=\"0 0 4 300\" preserveAspectRatio=\"none\""))
        #expect(chart.matches(of: /width="(\d+)"/).map { String($0.1) } == ["33"])
    }

    @Test func `crowded release labels are thinned out, and narrow screens show even fewer`() {
        let days = (0..<90).map { first + $0 }
        let series = CountSeries([cell(3, 81, 99)], closed: Set(days), from: first, through: first + 89)
        let marks = stride(from: 0, to: 90, by: 5).map {
            ConsoleMark(day: first + $0, event: .release(version: "20.\($0).0"))
        }
        let chart = BandChart(series: series, kind: "weather", marks: marks, largest: 100).html.description
        let (all, wide) = (chart.matches(of: /class="mark/).count, chart.matches(of: /class="mark wide"/).count)
        #expect(chart.matches(of: /class="release"/).count == marks.count)
        #expect(all < marks.count && wide > 0 && all - wide >= 3)
    }
}
