internal import CensusCore
internal import FleetSimulator

/// The truth of a simulated fleet as `simulate` wrote it: `day,surface,kind,devices,widgets`.
struct TruthFile {
    private(set) var devices: [TruthTable.Key: Int] = [:]
    private(set) var days: Set<Day> = []

    /// - Returns: nil when it is something else.
    init?(csv: String) {
        var lines = csv.split(whereSeparator: \.isNewline)[...]
        guard lines.popFirst() == "day,surface,kind,devices,widgets" else { return nil }
        for line in lines {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count == 5, let day = Day(String(fields[0])),
                let surface = Surface(rawValue: String(fields[1])),
                let count = Int(fields[3])
            else { return nil }
            devices[TruthTable.Key(day: day, surface: surface, kind: String(fields[2]))] = count
            days.insert(day)
        }
    }
}
