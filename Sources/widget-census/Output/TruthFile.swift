internal import CensusCore
internal import Fleet

/// The truth of a simulated fleet as `simulate` wrote it: `day,surface,kind,devices,widgets,zone`.
///
/// All in one zone. Files of earlier versions have no zone: their days are UTC's.
struct TruthFile {
    private(set) var devices: [TruthTable.Key: Int] = [:]
    private(set) var days: Set<Day> = []
    private(set) var zone = ReportingZone.utc

    /// - Returns: nil for any other content.
    init?(csv: String) {
        var lines = csv.split(whereSeparator: \.isNewline)[...]
        let columns = "day,surface,kind,devices,widgets"
        guard let head = lines.popFirst(), head == columns || head == columns + ",zone" else { return nil }
        let hasZone = head != columns
        var zones: Set<Substring> = []
        for line in lines {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count == (hasZone ? 6 : 5), let day = Day(String(fields[0])),
                let surface = Surface(rawValue: String(fields[1])),
                let count = Int(fields[3])
            else { return nil }
            devices[TruthTable.Key(day: day, surface: surface, kind: String(fields[2]))] = count
            days.insert(day)
            if hasZone { zones.insert(fields[5]) }
        }
        guard let name = zones.first else { return }
        guard zones.count == 1, let zone = ReportingZone(acceptable: String(name)) else { return nil }
        self.zone = zone
    }
}
