import CensusCore
import SeededRandom
import Testing

@Suite struct `Versions` {
    @Test(arguments: [
        ["3", "20.9", "20.10", "20.12", "20.12.1", "99999999999999999999999"],
        ["58.9", "58.10", "59.0b3", "59.0b10", "59.0rc1", "59.0", "59.0.1b1", "59.0.1"],
        ["2.0-alpha", "2.0-beta.2", "2.0-beta.10", "2.0-rc.1", "2.0", "2.0+9", "2.0+45", "2.0.1"],
        ["1.9 (7)", "1.10-SNAPSHOT", "1.10", "1.10 (9)", "1.10 (45)", "1.11"],
        ["v1.9", "v1.10-beta", "v1.10", "1.11"],
        ["2.0beta", "2.0", "2.0.0", "10", "", "(other)", "release-2.9", "release-2.10", "unknown"],
        // A pre-release of 2.0.0 is also one of 2.0.
        ["2.0.0-rc1", "2.0", "2.0.0"],
        ["1.0-RC1", "1.0-rc2", "1.0-RC3", "1.0"],
        ["12", "12.9", "12.10", "13"],
    ])
    func `versions sort by their numbers, with pre-releases before the release`(versions: [String]) {
        #expect(Version.sorted(versions) == versions)
        #expect(Version.sorted(versions.reversed()) == versions)
    }

    @Test(arguments: UInt64(0)..<200) func `versions have one total order`(seed: UInt64) {
        var random = Seeded(seed)
        let pieces = [
            "0", "1", "9", "10", "007", ".", "..", "-", "+", " ", "(", ")", "a", "B", "b", "rc", "v", "V", "unknown",
            "é",
            "e\u{301}", "18446744073709551616", "_",
        ]
        let versions = (0..<12).map { _ in
            Version(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined())
        }
        for a in versions {
            #expect(!(a < a))
            for b in versions {
                #expect((a == b) == a.text.hasBytes(of: b.text), "\(a.text) \(b.text)")
                #expect([a < b, a == b, b < a].count { $0 } == 1, "\(a.text) \(b.text)")
                for c in versions where a < b && b < c { #expect(a < c, "\(a.text) \(b.text) \(c.text)") }
            }
        }
        #expect(versions.shuffled(using: &random).sorted() == versions.sorted())
    }

    @Test func `a version that begins with a word is not numbered`() {
        #expect(["1", "1.2-rc1", "v1", "59.0b3"].allSatisfy { Version($0).isNumbered })
        #expect(["", "unknown", "v", "release-2"].allSatisfy { !Version($0).isNumbered })
    }
}
