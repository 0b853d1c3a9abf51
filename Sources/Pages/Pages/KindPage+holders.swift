internal import CensusCore
internal import CensusStore

// Which devices have it.
extension KindPage {
    @Blocks var places: [Block] {
        let families = history?.families ?? []
        if let day = holders.first?.day ?? history?.series.latest?.day, !holders.isEmpty || !families.isEmpty {
            Block.heading("Where it was installed at the end of \(day)")
            let versions = newestFirst(holders.summed { $0.appVersion })
            let systems = newestFirst(holders.summed { "\($0.platform) \($0.osVersion)" })
            let sizes = families.map { family -> HolderCount in
                (family.family.isEmpty ? "not sent" : family.family, family.certain, family.possible)
            }
            let tables: [Block] =
                [
                    .table(shares("By app version, newest first", "version", versions)),
                    .table(shares("By OS version, newest first", "system", systems)),
                ] + (sizes.isEmpty ? [] : [.table(shares("By family (a device can have several)", "family", sizes))])
            Block.group(.columns, tables)
            Block.paragraph(silentElsewhere, style: .soft)
            Block.sources(
                Sources(
                    query("live_installs", since: day),
                    "family, app_version, os_version, platform, devices_certain, devices_possible",
                    order: "devices_possible desc"))
        } else {
            Block.heading("Where it is installed")
            Block.paragraph("No device had it at the end of the last closed day.", style: .soft)
        }
    }

    /// The tables are of active devices, and their numbers add up to fewer than those of the verdict.
    private var silentElsewhere: Phrase? {
        let silent = (judged ?? supposed)?.figures.silent ?? 0
        return silent > 0
            ? """
            Active devices only. `preflight --drop` lists the versions of the \(silent, "silent device") that had it, too.
            """ : nil
    }

    /// The most common versions, sorted: newer ones first. The others stay behind them.
    private func newestFirst(_ rows: [HolderCount]) -> [HolderCount] {
        rows.prefix(KindPage.mostRows).sorted { Version($0.name) > Version($1.name) }
            + rows.dropFirst(KindPage.mostRows)
    }

    private typealias HolderCount = (name: String, certain: Int, possible: Int)

    /// The most rows of a table of holders.
    private static let mostRows = 12

    private func shares(
        _ caption: String, _ column: String, _ rows: [HolderCount]
    ) -> Table {
        let largest = Double(max(1, rows.map(\.possible).max() ?? 1))
        return Table(
            caption, rows,
            [
                .text(column, \.name), .number("certain", \.certain), .number("possible", \.possible),
                .bar("devices") { (Double($0.certain) / largest, Double($0.possible) / largest) },
            ],
            most: KindPage.mostRows)
    }
}
