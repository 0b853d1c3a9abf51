import CensusCore
import CensusStore
import Foundation

/// The long history of `Benchmarks/reports/history.sql`, for two apps of one size.
struct FilledLedger {
    var days: Int
    var kinds: Int
    /// The last closed day.
    let lastDay = Day.today - 1

    /// The last month of the history, for the app of ``TestStore``.
    var lastMonth: ReportFilter { ReportFilter(app: TestStore.appID, since: lastDay - 30, until: lastDay) }

    /// With psql's variables filled in.
    var script: String {
        get throws {
            let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..")
            return try String(contentsOf: folder.appending(path: "Benchmarks/reports/history.sql"), encoding: .utf8)
                .replacingOccurrences(of: ":'last_day'", with: "'\(lastDay)'")
                .replacingOccurrences(of: ":days", with: "\(days)")
                .replacingOccurrences(of: ":kinds", with: "\(kinds)")
        }
    }
}
