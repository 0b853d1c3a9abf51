import CensusCore
import CensusStore
import Foundation
import Testing

@Suite struct `Report folders` {
    /// docs/reports.md: the grain, then what is said of it. A promise to other people's queries.
    static let promise = """
        live_now app_id surface kind devices_certain devices_possible devices_expected widgets_certain \
        widgets_possible widgets_reported as_of
        live_kinds app_id day surface kind devices_certain devices_possible devices_expected widgets_certain \
        widgets_possible widgets_reported devices_certain_first_known devices_possible_first_known
        live_installs app_id day surface kind family app_version os_version platform devices_certain \
        devices_possible widgets_certain widgets_possible widgets_reported
        changes app_id day surface kind family cause widgets_added widgets_removed
        ghosts app_id day surface kind widgets_suspect widgets_gone widgets_still_there
        os_quirks app_id platform os_version suspects_settled gone still_there gone_share low high \
        ordinary_removal_share
        coverage app_id day devices_active devices_reporting share_reporting reads reads_failed devices_cloned \
        policy_applied
        zombies app_id day surface kind app_version devices widgets
        adoption app_id day app_version os_version devices_active devices_with_any_widget share
        retirement app_id surface kind lifecycle devices_certain devices_possible devices_expected devices_silent \
        devices_with_replacement limit_devices half_life_days ready_on verdict reason
        mass_losses app_id surface kind from_version to_version upgraders lost loss_rate ordinary_rate z \
        devices_at_risk state
        refused app_id day code events example
        """

    /// By the report's name.
    private static let columns: [String: [String]] = Dictionary(
        uniqueKeysWithValues: promise.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            return (words[0], Array(words.dropFirst()))
        })

    @Test func `hold what is known of the reports that need no decision`() {
        let needed: Set = [
            "live_now", "live_kinds", "live_installs", "changes", "ghosts", "os_quirks", "coverage", "adoption",
            "refused", "retirement",
        ]
        #expect(needed.subtracting(ReportFolder.all.map(\.name)) == [])
        #expect(ReportFolder.all.map(\.name) == ReportReader.names.sorted())
    }

    @Test(arguments: ReportFolder.described) func `have a view, a query, checks and a case`(
        folder: ReportFolder
    ) throws {
        for file in ["view.sql", "query.sql", "checks.sql"] { #expect(try !folder.text(file).isEmpty, "\(file)") }
        #expect(!folder.cases.isEmpty)
        let header = try folder.text("view.sql").split(separator: "\n").prefix { $0.hasPrefix("--") }
        #expect(header.first?.hasPrefix("-- \(folder.name): ") == true)
        for word in ["Grain", "Units", "Reads", "Caveat", "Read by"] {
            #expect(header.contains { $0.hasPrefix("-- \(word) ") }, "\(word)")
        }
    }

    @Test(arguments: ReportFolder.all) func `are described, with every column`(folder: ReportFolder) throws {
        let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../docs")
        let page = try String(contentsOf: docs.appending(path: "reports.md"), encoding: .utf8)
        let section = try #require(page.split(separator: "\n## ").first { $0.hasPrefix(folder.name + "\n") })
        let words = Set(section.split { !$0.isLetter && $0 != "_" }.map(String.init))
        let columns = try #require(`Report folders`.columns[folder.name])
        #expect(columns.filter { !words.contains($0) } == [])
    }

    @Test func `have the columns that were promised, in their order`() async throws {
        try await TestStore.with { test in
            for folder in ReportFolder.all { try await expectPromise(test, folder) }
        }
    }

    private func expectPromise(_ test: TestStore, _ folder: ReportFolder) async throws {
        let promised = try #require(`Report folders`.columns[folder.name], "\(folder.name)")
        let report = try await test.store.reports.read(folder.name, ReportFilter())
        #expect(report.columns.map(\.name) == promised, "query of \(folder.name)")
        let view = try await test.lines(
            """
            select attname
            from pg_attribute
            where attrelid = ('report.' || $1)::regclass
                and attnum > 0
            order by attnum
            """, [folder.name])
        #expect(view == promised, "view of \(folder.name)")
    }

    /// `adoption --kind weather` showed every device, which was taken for those that have the kind.
    @Test(arguments: [
        ("adoption", ReportFilter(kind: "weather"), "a kind"),
        (
            "retirement", ReportFilter(since: Day(daysSince1970: 0), until: Day(daysSince1970: 1)),
            "a first day or a last day"
        ),
        ("live_now", ReportFilter(until: Day(daysSince1970: 1), kind: "weather"), "a last day"),
    ]) func `a report refuses a filter that it does not know`(name: String, filter: ReportFilter, ignored: String)
        async throws
    {
        try await TestStore.with { test in
            let error = await #expect(throws: StoreError.self) { try await test.store.reports.read(name, filter) }
            #expect(error?.fault == .request)
            #expect(error?.description == "the report \(name) can't be narrowed to \(ignored): ask for it without")
            _ = try await test.store.reports.read("live_kinds", filter)
        }
    }
}
