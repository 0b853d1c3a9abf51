@testable import CensusCore

extension ReportPairs {
    /// - Parameter exposedDays: rounded to the second.
    init(pairs: Int = 0, lost: Int = 0, exposedDays: Double) {
        self.init(pairs: pairs, lost: lost, exposedSeconds: Int((exposedDays * 86_400).rounded()))
    }
}
