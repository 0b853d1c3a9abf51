internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation
internal import History
internal import Nightly
internal import Pages

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import batches, or another tool's events, from files.",
        examples: [
            "widget-census import history.ndjson", "zcat history.ndjson.gz | widget-census import -",
            "widget-census import export/ --from ga4 --mapping mapping.yaml --dry-run",
            "unzip -p export.zip | widget-census import - --from amplitude \\\n"
                + "  --mapping mapping.yaml",
        ],
        discussion: """
            With --from the files are what another analytics tool exports, as JSON lines, JSON arrays or CSV, and a mapping says what
            the events mean (docs/guides/history.md). --dry-run prints what would be counted, by event and by widget, and needs no
            database. Without --from, each line is one v1 batch, as sent to POST /v1/events, plus `received_at`, the time at which
            the server originally received it. Files can be compressed with gzip. The apps must exist. Importing a file twice
            changes nothing.

            The command skips bad lines, prints their numbers, and then exits with 1. Of several lines with the same error it prints
            the first one and their number.

            Events are refused as too_old if retention has dropped them since they first arrived (`widget-census keep`), or if
            they might belong to a forgotten device.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(.path, "Files, or folders of them; - for standard input.", name: "file") var files: [String]
    @Option(
        help: ArgumentHelp(
            "The tool that exported the files: \(HistoryFormat.Name.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "tool")) var from: HistoryFormat.Name?
    @Option(.path, "With --from: a file that says what the tool's events mean.", name: "file") var mapping: String?
    @Flag(help: "Print what would be counted, and store nothing.") var dryRun = false

    func validate() throws {
        guard (from == nil) == (mapping == nil) else { throw ValidationError("--from and --mapping need each other") }
    }

    func run() async throws {
        let translator = try translator()
        let files = try InputFiles(self.files)
        let complaints = Complaints()
        defer { say(complaints) }
        let onProblem = { (problem: Importer.Problem) in
            guard complaints.add(problem) else { return }
            Terminal.endProgress()
            Terminal.say("\(problem.place): \(problem.reason)")
        }
        let progress = { (progress: Importer.Progress) in Terminal.progress(progress.line) }
        let summary =
            dryRun
            ? try await Importer.dryRun(files, translator: translator, onProblem: onProblem, progress: progress)
            : try await common.census { census in
                try await PartitionService(store: census.store, logger: census.logger).keepAll(
                    progress: DayProgress().show)
                let importer = try await Importer(
                    store: census.store, secret: census.requireSecret(),
                    retention: census.store.upkeep.retention(), translator: translator)
                return try await importer.run(files, onProblem: onProblem, progress: progress)
            }
        Terminal.endProgress()
        if from != nil { Terminal.write(text(EventTally.table(summary.tallies.values))) }
        if !summary.widgets.isEmpty { Terminal.write("\n" + text(WidgetTally.table(summary.widgets.values)) + "\n") }
        print(dryRun ? summary.whatIf : summary.text)
        if let channel = translator?.uncountedChannel {
            print(
                "none of them counts, because the mapping's channel is \(channel.brief), and reports count only "
                    + Observation.Circumstances.countedChannel)
        }
        for remark in summary.remarks { Terminal.say(remark) }
        if let remedy = summary.remedyForPast { Terminal.say(remedy) }
        if summary.badLines > 0 { throw ExitCode(ExitStatus.no.rawValue) }
    }

    private func text(_ table: ReportTable) -> String {
        TablePrinter(table, width: Terminal.width, remedy: "| cat shows all").text
    }

    /// - Returns: nil if the files have batches of ours.
    private func translator() throws -> HistoryTranslator? {
        guard let from, let path = mapping else { return nil }
        do {
            let mapping = try HistoryMapping(yaml: String(decoding: try ManifestFile.bytes(of: path), as: UTF8.self))
            return HistoryTranslator(HistoryFormat(from), mapping)
        } catch let error as HistoryMappingError {
            throw UsageError("\(path): \(error)")
        }
    }
}

extension HistoryFormat.Name: ExpressibleByArgument {}

extension Import {
    /// Called after an interruption, too, so that the counts so far are printed.
    private func say(_ complaints: Complaints) {
        Terminal.endProgress()
        for line in complaints.summary { Terminal.say(line) }
    }
}

extension Importer.Summary {
    /// After a dry run.
    fileprivate var whatIf: String {
        "would store at most \((events - refused).counted("event"))\(days), \(refused.grouped) refused\(left); nothing was stored"
    }

    private var days: String {
        guard let period else { return "" }
        let first = ReportingZone.utc.day(of: period.lowerBound)
        let last = ReportingZone.utc.day(of: period.upperBound)
        return first == last ? " of \(first)" : " from \(first) to \(last)"
    }

    private var left: String {
        (tallies.isEmpty ? "" : "; \(ignored.grouped) ignored") + "; \(badLines.counted("bad line"))"
    }

    /// What to do if retention kept a large part out. Nil if it didn't.
    fileprivate var remedyForPast: String? {
        guard past > 0, past * 10 >= events else { return nil }
        return
            "\(past.counted("event", "is", "are")) older than the kept days. If they are new, reports lack them, and can "
            + "be wrong on those days. Import the oldest events first, into a database in which no night has run yet"
    }

    fileprivate var text: String {
        // The store doesn't tell duplicates apart from events that it dropped because their device was forgotten.
        let known = events - stored - refused - past
        return "\(lines.counted("batch")), \(events.counted("event")): \(stored.grouped) new, "
            + "\(known.grouped) already known or of erased devices, \(refused.grouped) refused"
            + (past > 0 ? "; \(past.grouped) older than the retention" : "") + left
    }
}
