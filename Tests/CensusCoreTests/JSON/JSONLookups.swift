import SeededRandom
import Testing

@testable import CensusCore

/// An unknown, escaped name repeated 700,000 times once made each of a dozen lookups scan all of them.
@Suite struct `Lookups of members` {
    private static let names = ["id", "\\u0069d", "kind", "k\\u0069nd", "at", "x", "\\u0061", "idd", "", "sent_at"]

    /// Reads an object member by member, as lookups once did.
    private func first(_ name: StaticString, _ document: JSONDocument, _ object: Int) -> Int? {
        guard
            let member = document.members(of: object).first(where: { document.string(at: $0.key) == name.description })
        else { return nil }
        return document.kind(at: member.value) == .null ? nil : member.value
    }

    @Test(arguments: ["", "a", "~", "~0", "~1", "~01", "a/b", "/\u{301}", "~\u{301}1", "\r\n/"])
    func `a pointer decodes to the key that it was made from`(key: String) {
        let parts = JSONPointer.parts(of: "/kinds/\(JSONPointer.escaped(key))/0")
        #expect(parts.map { Array($0.utf8) } == ["kinds", key, "0"].map { Array($0.utf8) })
    }

    @Test(arguments: UInt64(0)..<128) func `lookups find the same members as a full scan`(seed: UInt64) throws {
        var random = Seeded(seed)
        func object(_ depth: Int) -> String {
            let members = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                let name = Self.names.randomElement(using: &random) ?? ""
                let value =
                    depth > 0 && Bool.random(using: &random)
                    ? object(depth - 1) : ["null", "1", "[{\"id\":2}]", "\"id\""].randomElement(using: &random) ?? ""
                return "\"\(name)\":\(value)"
            }
            return "{" + members.joined(separator: ",") + "}"
        }
        let document = try JSONDocument(Array(object(3).utf8))
        for index in document.nodes.indices where document.kind(at: index) == .object {
            for name in ["id", "kind", "at", "sent_at", "x", "idd", ""] as [StaticString] {
                #expect(document.member(name, of: index) == first(name, document, index), "\(name)")
            }
        }
    }

    @Test func `lookups go through no more members than there are known names`() throws {
        let known = JSONNames.all.map { "\"\($0)\":1" }.joined(separator: ",")
        let strange = String(repeating: #""\u0061":1,"#, count: 5_000)
        let repeated = String(repeating: "\(known),", count: 50)
        let document = try JSONDocument(Array("{\(strange)\(repeated)\(strange)\(known)}".utf8))
        var (key, steps) = (1, 0)
        while key != 0 {
            key = Int(document.nodes[key].next)
            steps += 1
        }
        #expect(steps <= JSONNames.all.count + 1)
        for name in JSONNames.all { #expect(document.member(name, of: JSONDocument.root) != nil) }
    }

    @Test func `every known name has a bit of its own`() {
        #expect(JSONNames.all.count <= 64)
        #expect(Set(JSONNames.all.map(\.description)).count == JSONNames.all.count)
        for (number, name) in JSONNames.all.enumerated() { #expect(JSONNames.number(of: name) == UInt8(number)) }
    }
}
