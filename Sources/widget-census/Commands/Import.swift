internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation
internal import History
internal import Nightly

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import batches, or another tool's events, from a file.",
        examples: [
            "widget-census import history.ndjson", "zcat history.ndjson.gz | widget-census import -",
            "widget-census import events.ndjson --from ga4 --mapping mapping.yaml \\\n"
                + "  --dry-run",
            "zcat events.json.gz | widget-census import - --from amplitude \\\n"
                + "  --mapping mapping.yaml",
        ],
        discussion: """
            With --from the file is what another analytics tool exports, one event a line, and a mapping says what the events mean
            (docs/guides/history.md). --dry-run prints what would be counted, by event, and needs no database. Without --from, each line is
            one v1 batch, as sent to POST /v1/events, plus `received_at`, the time at which the server originally received it. The apps must exist. Importing a file twice changes nothing.

            The command skips bad lines, prints their numbers, and then exits with 1. Of several lines with the same error it prints
            the first one and their number.

            Events are refused as too_old if retention has dropped them since they first arrived (`widget-census keep`), or if
            they might belong to a forgotten device.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(.path, "The file; - for standard input.") var file: String
    @Option(
        help: ArgumentHelp(
            "The tool that exported the file: \(HistoryFormat.Name.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "tool")) var from: HistoryFormat.Name?
    @Option(.path, "With --from: a file that says what the tool's events mean.", name: "file") var mapping: String?
    @Flag(help: "Print what would be counted, and store nothing.") var dryRun = false

    func validate() throws {
        guard (from == nil) == (mapping == nil) else { throw ValidationError("--from and --mapping need each other") }
    }

    func run() async throws {
        let mapping = try self.mapping.map { try ManifestFile.bytes(of: $0) }
        let handle = try file == "-" ? .standardInput : opened()
        let size = file == "-" ? nil : try? handle.seekToEnd()
        if size != nil { try handle.seek(toOffset: 0) }
        let lines = LineReader(handle, named: file)
        let translator = try translator(mapping, lines)
        let complaints = Complaints()
        defer { say(complaints) }
        let onProblem = { (problem: Importer.Problem) in
            guard complaints.add(problem) else { return }
            Terminal.endProgress()
            Terminal.say("\(file):\(problem.line): \(problem.reason)")
        }
        let summary =
            dryRun
            ? try await Importer.dryRun(lines, translator: translator, onProblem: onProblem)
            : try await common.census { census in
                try await PartitionService(store: census.store, logger: census.logger).keepAll(
                    progress: DayProgress().show)
                let importer = try await Importer(
                    store: census.store, secret: census.requireSecret(),
                    retention: census.store.upkeep.retention(), translator: translator)
                return try await importer.run(lines, bytes: size.map(Int.init), onProblem: onProblem) { progress in
                    Terminal.progress(progress.line)
                }
            }
        Terminal.endProgress()
        if from != nil {
            Terminal.write(ReportFormat.table.text(EventTally.table(summary.tallies.values), width: Terminal.width))
        }
        print(dryRun ? summary.whatIf : summary.text)
        if summary.badLines > 0 { throw ExitCode(ExitStatus.no.rawValue) }
    }

    /// - Returns: nil if the file has batches of ours.
    private func translator(_ mapping: [UInt8]?, _ lines: LineReader) throws -> HistoryTranslator? {
        guard let from, let mapping, let path = self.mapping else { return nil }
        do {
            let mapping = try HistoryMapping(yaml: String(decoding: mapping, as: UTF8.self))
            let header = from == .csv ? try lines.next()?.bytes : nil
            return HistoryTranslator(HistoryFormat(from), mapping, header: header)
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
        for line in complaints.summary { Terminal.say("\(file):\(line)") }
    }

    private func opened() throws -> FileHandle {
        do {
            return try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
        } catch {
            throw UsageError(unreadable: file, error)
        }
    }
}

extension Importer.Summary {
    /// After a dry run.
    fileprivate var whatIf: String {
        "would store \((events - refused).counted("event")), \(refused.grouped) refused\(left); nothing was stored"
    }

    private var left: String {
        (tallies.isEmpty ? "" : "; \(ignored.grouped) ignored") + "; \(badLines.counted("bad line"))"
    }

    fileprivate var text: String {
        // The store doesn't tell duplicates apart from events that it dropped because their device was forgotten.
        let known = events - stored - refused - past
        return "\(lines.counted("batch")), \(events.counted("event")): \(stored.grouped) new, "
            + "\(known.grouped) already known or of erased devices, \(refused.grouped) refused"
            + (past > 0 ? "; \(past.grouped) older than the retention" : "") + left
    }
}
