internal import CensusCore
internal import Foundation
internal import History

/// Decodes the lines of files on all cores, some lines ahead of the reader.
final class BatchLines {
    struct Decoded: Sendable {
        var file: String
        /// Counted from 1.
        var number: Int
        /// The event's name in another tool; nil if the line is a batch of ours.
        var event: String?
        var outcome: Outcome
    }

    enum Outcome: Sendable {
        case batch(Batch, received: Timestamp)
        case bad(String)
        /// An event of another tool that the mapping leaves out.
        case ignored(HistoryTranslator.Omission)
    }

    private struct Source: Sendable {
        var file: String
        var record: ExportedRecord
    }

    /// The size of a chunk of lines that one task decodes: large enough to be worth a task, small enough that all waiting
    /// chunks fit into memory.
    private static let chunkBytes = 256 << 10

    private let files: InputFiles
    private let decoder: BatchDecoder
    private let translator: HistoryTranslator?
    private var splitter: RecordSplitter?
    private let width = max(1, ProcessInfo.processInfo.activeProcessorCount)
    /// In file order.
    private var underWay: [Task<(lines: [Decoded], use: MappingUse), Never>] = []
    private var use = MappingUse()

    /// - Parameter translator: nil: the lines are batches of ours.
    init(_ files: InputFiles, decoder: BatchDecoder, translator: HistoryTranslator? = nil) {
        self.files = files
        self.decoder = decoder
        self.translator = translator
        splitter = translator.map { RecordSplitter($0.format) }
    }

    /// The next lines in file order, without empty ones; nil at the end of the last file.
    ///
    /// - Throws: ``UsageError`` if a file can't be read, or is not text.
    func next() async throws -> [Decoded]? {
        while underWay.count <= width, let chunk = try chunk() {
            underWay.append(
                Task { [decoder, translator] in
                    var use = MappingUse()
                    return (chunk.map { BatchLines.decode($0, decoder, translator, &use) }, use)
                })
        }
        guard !underWay.isEmpty else { return nil }
        let decoded = await underWay.removeFirst().value
        use.add(decoded.use)
        return decoded.lines
    }

    /// What in the mapping doesn't fit the lines so far.
    var remarks: [String] { translator.map { use.remarks(on: $0) } ?? [] }

    private func chunk() throws -> [Source]? {
        var chunk: [Source] = []
        var bytes = 0
        while bytes < BatchLines.chunkBytes, let next = try files.next() {
            for record in records(in: next) {
                bytes += record.bytes.count
                chunk.append(Source(file: files.file, record: record))
            }
        }
        return chunk.isEmpty ? nil : chunk
    }

    private func records(in next: InputFiles.Next) -> [ExportedRecord] {
        switch next {
        case .line(let line):
            if let records = splitter?.records(in: line.bytes, number: line.number) { return records }
            if line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return [] }
            return [ExportedRecord(line: line.number, bytes: line.bytes)]
        case .endOfFile: return splitter?.end().map { [$0] } ?? []
        }
    }

    private static func decode(
        _ source: Source, _ decoder: BatchDecoder, _ translator: HistoryTranslator?, _ use: inout MappingUse
    ) -> Decoded {
        let record = source.record
        guard let translator else {
            return Decoded(file: source.file, number: record.line, outcome: decode(record.bytes, decoder))
        }
        let translation = translator.translate(record, &use)
        let outcome: Outcome =
            switch translation.outcome {
            case .batch(let bytes): decode(bytes, decoder, translator)
            case .ignored(let omission): .ignored(omission)
            case .failed(let reason): .bad(reason)
            }
        return Decoded(file: source.file, number: record.line, event: translation.event, outcome: outcome)
    }

    /// - Parameter translator: made the batch, so errors name the export's fields.
    private static func decode(
        _ batch: [UInt8], _ decoder: BatchDecoder, _ translator: HistoryTranslator? = nil
    ) -> Outcome {
        do throws(EnvelopeError) {
            var (batch, received) = try decoder.decodeArchived(batch)
            if let translator { batch.events = batch.events.map { $0.mapError(translator.translated) } }
            return .batch(batch, received: received)
        } catch {
            if let translator { return .bad(translator.translated(error.message, at: error.pointer)) }
            return .bad(error.pointer.isEmpty ? error.message : "\(error.message) (\(error.pointer))")
        }
    }
}

extension HistoryTranslator {
    fileprivate func translated(_ refused: RefusedEvent) -> RefusedEvent {
        var refused = refused
        refused.refusal = .translated(code: refused.refusal.code, message: translated(refused.refusal.message))
        return refused
    }
}
