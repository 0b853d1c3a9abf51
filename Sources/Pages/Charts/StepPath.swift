internal import CensusCore

/// A line of steps, one for each day. Days without data are gaps.
struct StepPath {
    /// The first day's left edge.
    var left: Double
    /// How wide a day is, in pixels.
    var width: Double

    /// - Parameter heights: for each day, pixels from the top; nil: no data.
    func line(_ heights: [Double?]) -> String {
        runs(heights).map { run in steps(from: run.lowerBound, heights[run].compactMap { $0 }) }.joined()
    }

    /// The area between two lines with the same gaps.
    func band(_ tops: [Double?], _ bottoms: [Double?]) -> String {
        runs(tops).map { run in
            let (top, bottom) = (tops[run].compactMap { $0 }, bottoms[run].compactMap { $0 })
            guard top.count == bottom.count else { return "" }
            return steps(from: run.lowerBound, top) + back(from: top.last ?? 0, bottom) + "z"
        }.joined()
    }

    private func runs(_ heights: [Double?]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for (day, height) in heights.enumerated() where height != nil {
            if let last = runs.last, last.upperBound == day {
                runs[runs.count - 1] = last.lowerBound..<day + 1
            } else {
                runs.append(day..<day + 1)
            }
        }
        return runs
    }

    /// From left to right. Equal days share one step.
    private func steps(from day: Int, _ heights: [Double]) -> String {
        guard let first = heights.first else { return "" }
        return "M\((left + Double(day) * width).pixels) \(first.pixels)" + moves(heights, by: width)
    }

    /// From the last day back to the first.
    private func back(from height: Double, _ heights: [Double]) -> String {
        guard let last = heights.last else { return "" }
        return "v" + (last - height).pixels + moves(heights.reversed(), by: -width)
    }

    private func moves(_ heights: [Double], by width: Double) -> String {
        var path = ""
        var (height, run) = (heights.first ?? 0, 0.0)
        for next in heights {
            if next != height {
                path += "h\(run.pixels)v\((next - height).pixels)"
                (height, run) = (next, 0)
            }
            run += width
        }
        return path + "h" + run.pixels
    }
}
