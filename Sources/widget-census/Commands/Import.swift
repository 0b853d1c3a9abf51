internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation
internal import Nightly

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Backfill from a file of batches.",
        examples: [
            "widget-census import history.ndjson", "zcat history.ndjson.gz | widget-census import -",
        ],
        discussion: """
            One v1 batch per line, as POST /v1/events takes it, with `received_at`: when the server originally got it. The apps must
            exist. A bad line is reported with its number and skipped; of lines that are bad for the same reason only the first is
            shown, with their number. Running it twice changes nothing. What was dropped since it first arrived
            (`widget-census keep`), or may be of a forgotten device, is not stored again: it is refused as too_old.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(.path, "The file; - for standard input.") var file: String

    func run() async throws {
        let handle = try file == "-" ? .standardInput : opened()
        let size = file == "-" ? nil : try? handle.seekToEnd()
        if size != nil { try handle.seek(toOffset: 0) }
        let complaints = Complaints()
        defer { say(complaints) }
        let summary = try await common.census { census in
            try await PartitionService(store: census.store, logger: census.logger).keepAll(progress: DayProgress().show)
            let importer = try await Importer(
                store: census.store, secret: census.requireSecret(), retention: census.store.upkeep.retention())
            return try await importer.run(LineReader(handle, named: file), bytes: size.map(Int.init)) { problem in
                guard complaints.add(problem) else { return }
                Terminal.endProgress()
                Terminal.say("\(file):\(problem.line): \(problem.reason)")
            } progress: { progress in
                Terminal.progress(progress.line)
            }
        }
        Terminal.endProgress()
        print(summary.text)
        if summary.badLines > 0 { throw ExitCode(ExitStatus.no.rawValue) }
    }
}

extension Import {
    /// Also after an interruption: what was counted is not lost.
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
    fileprivate var text: String {
        // The store tells those that it knew and those that it dropped for a forgotten device together.
        let known = events - stored - refused - past
        return "\(lines.counted("batch")), \(events.counted("event")): \(stored.grouped) new, "
            + "\(known.grouped) known already or of forgotten devices, \(refused.grouped) refused; "
            + (past > 0 ? "older than what is kept: \(past.grouped); " : "") + "\(badLines.counted("bad line"))"
    }
}
