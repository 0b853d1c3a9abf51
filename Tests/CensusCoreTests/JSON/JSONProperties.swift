import Foundation
import SeededRandom
import Testing

@testable import CensusCore

/// Compares our parser with Foundation's on generated documents, and tries it on corrupted bytes.
@Suite struct `JSON properties` {
    @Test(arguments: UInt64(0)..<8) func `Foundation reads the same values from a valid document`(seed: UInt64) throws {
        for step in 0..<60 {
            var random = Seeded(seed << 32 | UInt64(step))
            let text = document(depth: 0, &random)
            let mine = try JSONDocument(Array(text.utf8))
            let theirs = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
            #expect(isSame(mine, JSONDocument.root, theirs), "seed \(seed) step \(step): \(text)")
        }
    }

    @Test(arguments: UInt64(0)..<8) func `a string reads back as it was written`(seed: UInt64) throws {
        for step in 0..<300 {
            var random = Seeded(seed << 32 | UInt64(step))
            let string = random.string(upTo: 30)
            var bytes: [UInt8] = []
            JSONString.write(string, to: &bytes)
            let read = try #require(JSONDocument(bytes).string(at: 0))
            #expect(Array(read.utf8) == Array(string.utf8))
        }
    }

    @Test(arguments: UInt64(0)..<8) func `corrupted bytes cause an error and never a crash`(seed: UInt64) {
        var accepted = 0
        for step in 0..<700 {
            var random = Seeded(seed << 32 | UInt64(step))
            var bytes = Array(document(depth: 0, &random).utf8)
            for _ in 0...random.below(3) { mutate(&bytes, &random) }
            do throws(JSONError) {
                let document = try JSONDocument(bytes)
                visit(document)
                accepted += 1
                // Foundation is laxer, except for numbers beyond a Double, so it must accept what passes here.
                guard document.nodes.indices.allSatisfy({ isFinite(document, $0) }) else { continue }
                #expect(throws: Never.self, "seed \(seed) step \(step)") {
                    try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
                }
            } catch {
                #expect((0...bytes.count).contains(error.offset), "seed \(seed) step \(step)")
            }
        }
        #expect(accepted > 0 && accepted < 700)
    }

    /// One JSON text. An object's keys are distinct and numbers are exact, so two parsers must agree.
    private func document(depth: Int, _ random: inout Seeded) -> String {
        func space(_ random: inout Seeded) -> String { random.pick(["", "", "", " ", "\n", "\t", "\r\n "]) }
        let before = space(&random)
        let value: String
        switch depth > 5 ? random.below(5) : random.below(8) {
        case 0: value = random.pick(["null", "true", "false"])
        case 1: value = "\(Int64(bitPattern: random.next()) >> Int64(random.below(64)))"
        case 2: value = random.pick(["0.5", "-1.25e2", "1e3", "2.0", "-0", "1E-2"])
        case 3, 4: value = quoted(random.string(), &random)
        case 5, 6:
            let members = (0..<random.below(5)).map { position in
                let key = quoted("\(position)" + random.string(upTo: 4), &random)
                return space(&random) + key + space(&random) + ":" + document(depth: depth + 1, &random)
            }
            value = "{" + members.joined(separator: ",") + space(&random) + "}"
        default:
            let elements = (0..<random.below(5)).map { _ in document(depth: depth + 1, &random) }
            value = "[" + elements.joined(separator: ",") + space(&random) + "]"
        }
        return before + value + space(&random)
    }

    private func quoted(_ string: String, _ random: inout Seeded) -> String {
        if random.chance(50) {
            var bytes: [UInt8] = []
            JSONString.write(string, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        let units = string.utf16.map { unit in
            let digits = String(unit, radix: 16, uppercase: random.chance(50))
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"" + units.joined() + "\""
    }

    private func isSame(_ document: JSONDocument, _ index: JSONDocument.Index, _ other: Any) -> Bool {
        switch document.kind(at: index) {
        case .null: return other is NSNull
        case .true, .false: return (other as? Bool) == document.boolean(at: index)
        case .string:
            return (other as? String).map { Array($0.utf8) } == document.string(at: index).map { Array($0.utf8) }
        case .number:
            guard let number = other as? NSNumber else { return false }
            let text = String(decoding: document.source(at: index), as: UTF8.self)
            if let whole = document.integer(at: index) { return number.doubleValue == Double(whole) }
            return Double(text) == number.doubleValue
        case .array:
            let elements = document.elements(of: index)
            guard let others = other as? [Any], others.count == elements.count else { return false }
            return zip(elements, others).allSatisfy { isSame(document, $0, $1) }
        case .object:
            let members = document.members(of: index)
            guard let others = other as? [String: Any], others.count == members.count else { return false }
            return members.allSatisfy { key, value in
                document.string(at: key).flatMap { others[$0] }.map { isSame(document, value, $0) } ?? false
            }
        }
    }

    private func isFinite(_ document: JSONDocument, _ index: JSONDocument.Index) -> Bool {
        document.kind(at: index) != .number
            || Double(String(decoding: document.source(at: index), as: UTF8.self))?.isFinite == true
    }

    /// Calls every accessor on every node.
    private func visit(_ document: JSONDocument) {
        for index in document.nodes.indices {
            _ = document.string(at: index)
            _ = document.integer(at: index)
            _ = document.member("a", of: index)
            _ = document.source(at: index)
            _ = (document.elements(of: index).count, document.members(of: index).count)
        }
    }

    private func mutate(_ bytes: inout [UInt8], _ random: inout Seeded) {
        let telling = Array("{}[]\":,\\u0d8e+-.tn \u{0}\u{1F}".utf8) + [0x80, 0xC0, 0xE2, 0xED, 0xF4, 0xFF]
        let position = random.below(bytes.count + 1)
        switch random.below(5) {
        case 0 where position < bytes.count: bytes[position] = UInt8(truncatingIfNeeded: random.next())
        case 1 where position < bytes.count: bytes.remove(at: position)
        case 2: bytes.removeLast(random.below(bytes.count + 1))
        case 3 where position < bytes.count: bytes.insert(contentsOf: bytes[position...].prefix(8), at: position)
        default: bytes.insert(random.pick(telling), at: position)
        }
    }
}
