internal import CensusCore
internal import Fleet

/// The truth about a simulated fleet, written by `simulate`: `day,surface,kind,devices,widgets,zone,app_id`.
///
/// All rows have the same zone and app. Older files have no app, and the oldest no zone: their days are in UTC.
struct TruthFile {
    private(set) var devices: [TruthTable.Key: Int] = [:]
    private(set) var days: Set<Day> = []
    private(set) var zone = ReportingZone.utc
    private(set) var app: String?

    /// - Returns: nil for any other content.
    init?(csv: String) {
        var lines = csv.split(whereSeparator: \.isNewline)[...]
        let columns = "day,surface,kind,devices,widgets"
        let heads = ["", ",zone", ",zone,app_id"].map { columns + $0 }
        guard let head = lines.popFirst(), let known = heads.firstIndex(of: String(head)) else { return nil }
        var (zones, apps): (Set<Substring>, Set<Substring>) = ([], [])
        for line in lines {
            let fields = line.split(separator: ",", maxSplits: 4 + known, omittingEmptySubsequences: false)
            guard fields.count == 5 + known, let day = Day(String(fields[0])),
                let surface = Surface(rawValue: String(fields[1])),
                let count = Int(fields[3])
            else { return nil }
            devices[TruthTable.Key(day: day, surface: surface, kind: String(fields[2]))] = count
            days.insert(day)
            if known > 0 { zones.insert(fields[5]) }
            if known > 1 { apps.insert(fields[6]) }
        }
        guard apps.count < 2 else { return nil }
        app = apps.first.map(String.init)
        guard let name = zones.first else { return }
        guard zones.count == 1, let zone = ReportingZone(acceptable: String(name)) else { return nil }
        self.zone = zone
    }
}
