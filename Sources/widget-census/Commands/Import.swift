internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation
internal import Nightly

struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import batches from a file.",
        examples: [
            "widget-census import history.ndjson", "zcat history.ndjson.gz | widget-census import -",
        ],
        discussion: """
            Each line of the file is one v1 batch, as sent to POST /v1/events, plus `received_at`, the time at which the server
            originally received it. The apps must exist. Importing a file twice changes nothing.

            The command skips bad lines, prints their numbers, and then exits with 1. Of several lines with the same error it prints
            the first one and their number.

            Events are refused as too_old if retention has dropped them since they first arrived (`widget-census keep`), or if
            they might belong to a forgotten device.
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
    fileprivate var text: String {
        // The store doesn't tell duplicates apart from events that it dropped because their device was forgotten.
        let known = events - stored - refused - past
        return "\(lines.counted("batch")), \(events.counted("event")): \(stored.grouped) new, "
            + "\(known.grouped) already known or of erased devices, \(refused.grouped) refused; "
            + (past > 0 ? "\(past.grouped) older than the retention; " : "") + "\(badLines.counted("bad line"))"
    }
}
