import CensusCore
import Foundation
import Testing

@testable import CensusStore

@Suite struct `Report folders` {
    @Test func `the folders are the reader's reports, and include the required ones`() {
        let needed: Set = [
            "live_now", "live_kinds", "live_installs", "changes", "ghosts", "os_quirks", "coverage", "adoption",
            "refused", "retirement",
        ]
        #expect(needed.subtracting(ReportFolder.all.map(\.name)) == [])
        #expect(ReportFolder.all.map(\.name) == ReportReader.names.sorted())
    }

    @Test func `every report is a source in dbt`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let sources = try String(
            contentsOf: root.appending(path: "examples/dbt/models/sources.yml"), encoding: .utf8)
        let names = sources.matches(of: /(?m)^      - name: (\w+)$/).map { String($0.1) }
        #expect(Set(ReportFolder.all.map(\.name)).subtracting(names) == [])
    }

    @Test(arguments: ReportFolder.all) func `a folder has a view, checks and a case`(
        folder: ReportFolder
    ) throws {
        for file in ["view.sql", "checks.sql"] { #expect(try !folder.text(file).isEmpty, "\(file)") }
        #expect(!folder.cases.isEmpty)
        let header = try folder.text("view.sql").split(separator: "\n").prefix { $0.hasPrefix("--") }
        #expect(header.first?.hasPrefix("-- \(folder.name): ") == true)
        for word in ["Grain", "Units", "Reads", "Caveat", "Read by"] {
            #expect(header.contains { $0.hasPrefix("-- \(word) ") }, "\(word)")
        }
    }

    @Test(arguments: ReportFolder.all) func `a view's header names columns of the view`(
        folder: ReportFolder
    ) throws {
        let report = try #require(ReportDescription.all.first { $0.name == folder.name })
        let names = report.columns.map(\.name)
        #expect(!report.grain.isEmpty && report.grain == Array(names.prefix(report.grain.count)))
        #expect(Set(report.order).subtracting(names) == [])
        #expect(Set(report.spare).subtracting(names.dropFirst(report.grain.count)) == [])
        #expect(!report.whenEmpty.isEmpty)
        // The comment on the view is the first sentence of its header.
        let first = try folder.text("view.sql").prefix { $0 != "\n" }.dropFirst("-- \(folder.name): ".count)
        let sentence = (first.prefix(1).uppercased() + first.dropFirst()).replacing("'", with: "''")
        #expect(try folder.text("view.sql").contains("comment on view report.\(folder.name) is '\(sentence)';"))
    }

    @Test func `a report has the promised columns in their order`() async throws {
        try await TestStore.with { test in
            for folder in ReportFolder.all { try await expectPromise(test, folder) }
        }
    }

    private func expectPromise(_ test: TestStore, _ folder: ReportFolder) async throws {
        let promised = try folder.promise()
        let view = try await test.lines(
            """
            select
                attname,
                col_description(attrelid, attnum)
            from pg_attribute
            where attrelid = ('report.' || $1)::regclass
                and attnum > 0
            order by attnum
            """, [folder.name])
        let names = view.map { String($0.prefix { $0 != "|" }) }
        #expect(names == promised, "docs/reference/reports.md promises other columns of \(folder.name)")
        let report = try await test.store.reports.read(folder.name, ReportFilter())
        #expect(report.columns.map(\.name) == promised, "query of \(folder.name)")
        let described = try #require(ReportDescription.all.first { $0.name == folder.name })
        #expect(described.columns.map { "\($0.name)|\($0.meaning)" } == view, "description of \(folder.name)")
    }

    /// PostgreSQL's own format for times depends on the session.
    @Test func `a report prints times as RFC 3339`() async throws {
        try await TestStore.with { test in
            try await test.execute(try FilledLedger(days: 3, kinds: 2).script)
            for name in ReportReader.names {
                let types = try await test.lines(
                    """
                    select attname
                    from pg_attribute
                    where attrelid = ('report.' || $1)::regclass
                        and attnum > 0
                        and atttypid in ('timestamptz'::regtype, 'timestamp'::regtype)
                    """, [name])
                let report = try await test.store.reports.read(name, ReportFilter())
                for (position, column) in report.columns.enumerated() where types.contains(column.name) {
                    let times = report.rows.compactMap { $0[position] }
                    #expect(!times.isEmpty, "\(name)")
                    let isUTC = times.allSatisfy { $0.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil }
                    #expect(isUTC, "\(column.name) of \(name)")
                }
            }
        }
    }

    /// Regression: `adoption --kind weather` showed all devices, which looked like those that have the kind.
    @Test(arguments: [
        ("adoption", ReportFilter(kind: "weather"), "`--kind`"),
        (
            "retirement", ReportFilter(since: Day(daysSince1970: 0), until: Day(daysSince1970: 1)),
            "`--since` or `--until`"
        ),
        ("live_now", ReportFilter(until: Day(daysSince1970: 1), kind: "weather"), "`--until`"),
    ]) func `a report rejects a filter that it does not know`(name: String, filter: ReportFilter, ignored: String)
        async throws
    {
        try await TestStore.with { test in
            let error = await #expect(throws: StoreError.self) { try await test.store.reports.read(name, filter) }
            #expect(error?.fault == .request)
            #expect(error?.description == "the report \(name) has no \(ignored) filter; run it without")
            _ = try await test.store.reports.read("live_kinds", filter)
        }
    }
}
