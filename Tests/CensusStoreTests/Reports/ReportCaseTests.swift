import CensusCore
import CensusStore
import Testing

@Suite struct `Report cases` {
    @Test(arguments: ReportFolder.all.flatMap(\.cases)) func `the report has the expected rows`(
        reportCase: ReportCase
    ) async throws {
        let material = try reportCase.material()
        try await TestStore.with(isPartitioned: true) { test in
            try await importBatches(material.batches, test)
            if let script = material.script { try await test.execute(script) }
            try await test.night()
            let report = try await test.store.reports.read(reportCase.report, ReportFilter())
            expectEqual(try report.with(material.columns).caseLines, material.expected)
            let broken = try await test.store.reports.check().filter { $0.severity == .fail && !$0.holds }
            #expect(broken == [])
        }
    }

    @Test(arguments: ReportFolder.all) func `every column is in at least one case`(
        folder: ReportFolder
    ) async throws {
        try await TestStore.with { test in
            let columns = try await test.store.reports.read(folder.name, ReportFilter()).columns.map(\.name)
            let shown = try Set(folder.cases.flatMap { try $0.material().columns })
            #expect(Set(columns).subtracting(shown) == [])
        }
    }

    /// Records the first line that differs.
    private func expectEqual(_ found: [String], _ expected: [String]) {
        for number in 0..<max(found.count, expected.count) {
            let line = number < found.count ? found[number] : "(no such line)"
            let wanted = number < expected.count ? expected[number] : "(no such line)"
            if line != wanted {
                Issue.record(
                    "line \(number + 1) is\n  \(line)\nand not\n  \(wanted)\nof\n\(found.joined(separator: "\n"))")
                return
            }
        }
    }

    /// Imports as `widget-census import` does.
    private func importBatches(_ lines: [String], _ test: TestStore) async throws {
        let names = NameLimiter(store: test.store)
        let decoder = BatchDecoder()
        var batches: [BatchRows] = []
        for line in lines {
            let (batch, received) = try decoder.decodeArchived(Array(line.utf8))
            let admitted = try await names.admit(batch, caps: test.app.caps)
            batches.append(BatchRows(admitted, appNumber: test.app.number, secret: test.secret, received: received))
        }
        _ = try await test.store.log.append(batches)
    }
}
