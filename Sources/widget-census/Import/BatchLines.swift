internal import CensusCore
internal import Foundation
internal import History

/// Decodes the lines of a file on all cores, some lines ahead of the reader.
final class BatchLines {
    struct Decoded: Sendable {
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
        case ignored(isMapped: Bool)
    }

    /// The size of a chunk of lines that one task decodes: large enough to be worth a task, small enough that all waiting
    /// chunks fit into memory.
    private static let chunkBytes = 256 << 10

    private let lines: LineReader
    private let decoder: BatchDecoder
    private let translator: HistoryTranslator?
    private let width = max(1, ProcessInfo.processInfo.activeProcessorCount)
    /// In file order.
    private var underWay: [Task<[Decoded], Never>] = []

    /// - Parameter translator: nil: the lines are batches of ours.
    init(_ lines: LineReader, decoder: BatchDecoder, translator: HistoryTranslator? = nil) {
        self.lines = lines
        self.decoder = decoder
        self.translator = translator
    }

    /// The next lines in file order, without empty ones; nil at the end of the file.
    ///
    /// - Throws: ``UsageError`` if the file can't be read, is compressed or is UTF-16.
    func next() async throws -> [Decoded]? {
        while underWay.count <= width, let chunk = try chunk() {
            underWay.append(Task { [decoder, translator] in chunk.map { BatchLines.decode($0, decoder, translator) } })
        }
        return underWay.isEmpty ? nil : await underWay.removeFirst().value
    }

    private func chunk() throws -> [LineReader.Line]? {
        var chunk: [LineReader.Line] = []
        var bytes = 0
        while bytes < BatchLines.chunkBytes, let line = try lines.next() {
            if line.number == 1, line.bytes.starts(with: [0x1F, 0x8B]) {
                throw UsageError("the file is compressed with gzip: zcat FILE | widget-census import -")
            }
            if line.number == 1, line.bytes.isUTF16 {
                throw UsageError("the file is UTF-16: iconv -f UTF-16 -t UTF-8 FILE | widget-census import -")
            }
            if line.bytes.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { continue }
            bytes += line.bytes.count
            chunk.append(line)
        }
        return chunk.isEmpty ? nil : chunk
    }

    private static func decode(
        _ line: LineReader.Line, _ decoder: BatchDecoder, _ translator: HistoryTranslator?
    ) -> Decoded {
        guard let translator else {
            return Decoded(number: line.number, outcome: decode(line.bytes, decoder))
        }
        let translation = translator.translate(line.bytes)
        let outcome: Outcome =
            switch translation.outcome {
            case .batch(let bytes): decode(bytes, decoder)
            case .ignored(let isMapped): .ignored(isMapped: isMapped)
            case .failed(let reason): .bad(reason)
            }
        return Decoded(number: line.number, event: translation.event, outcome: outcome)
    }

    private static func decode(_ batch: [UInt8], _ decoder: BatchDecoder) -> Outcome {
        do throws(EnvelopeError) {
            let (batch, received) = try decoder.decodeArchived(batch)
            return .batch(batch, received: received)
        } catch {
            return .bad(error.pointer.isEmpty ? error.message : "\(error.message) (\(error.pointer))")
        }
    }
}
