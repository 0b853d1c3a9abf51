import Testing

@testable import CensusCore

/// Where findings are shown in a manifest, counted as editors count: lines, and columns in UTF-16 code units.
@Suite struct `Places in manifests` {
    private static let text = """
        {"app": {"id": "a", "version": "1.0"}, "note": 7,
         "kinds": [
          {"kind": "weather", "families": ["s",
            "m"]},
          {"intent": "日é🌧", "\u{10FFFF}": null, "kind": "weather", "surface": "control"}, {"kind": "🌧é日"},
          {"surface": "shelf", "kind": "plain"}, {"surface": null}, 7,
          {"kind": "weather", "intent": "second"}

         ]
        }
        """
    private let places = ManifestPlaces(Array(Self.text.utf8))

    /// Where an editor finds this piece of text: the occurrence with this number, counted from 0.
    private func place(of piece: String, _ number: Int = 0, isLong: Bool = false) throws -> ManifestPlaces.Place {
        let ranges = Self.text.ranges(of: piece)
        let range = try #require(ranges.dropFirst(number).first)
        let before = Self.text[..<range.lowerBound]
        let line = before.split(separator: "\n", omittingEmptySubsequences: false).count
        let column = before.reversed().prefix { $0 != "\n" }.reduce(1) { $0 + $1.utf16.count }
        return .init(line: line, column: column, endColumn: isLong ? nil : column + piece.utf16.count)
    }

    @Test func `a kind's place is its name`() throws {
        #expect(places.place(of: .init(surface: .widget, kind: "weather")) == (try place(of: #""weather""#)))
        #expect(places.place(of: .init(surface: .control, kind: "weather")) == (try place(of: #""weather""#, 1)))
        #expect(places.place(of: .init(surface: .widget, kind: "🌧é日")) == (try place(of: #""🌧é日""#)))
        #expect(places.place(of: .init(surface: .widget, kind: "plain")) == (try place(of: #""plain""#)))
        #expect(places.place(of: .init(surface: .today, kind: "weather")) == nil)
    }

    @Test func `a pointer leads to a list's element, or to a member's name`() throws {
        #expect(places.place(at: "/app/version") == (try place(of: #""version""#)))
        #expect(places.place(at: "/note") == (try place(of: #""note""#)))
        #expect(places.place(at: "/kinds/0/families/0") == (try place(of: #""s""#)))
        #expect(places.place(at: "/kinds/0/families/1") == (try place(of: #""m""#)))
        #expect(places.place(at: "/kinds/1/kind") == (try place(of: #""kind""#, 1)))
        #expect(places.place(at: "/kinds/1/\u{10FFFF}") == (try place(of: "\"\u{10FFFF}\"")))
        #expect(places.place(at: "/kinds/2/kind") == (try place(of: #""kind""#, 2)))
        #expect(places.place(at: "/kinds/5") == (try place(of: "7", 1)))
        #expect(places.place(at: "/kinds/6/intent") == (try place(of: #""intent""#, 1)))
    }

    @Test func `a value over several lines has no end column`() throws {
        #expect(places.place(at: "") == (try place(of: "{", isLong: true)))
        #expect(places.place(at: "/kinds/0") == (try place(of: #"{"kind""#, isLong: true)))
        #expect(places.place(at: "/kinds/6") == (try place(of: #"{"kind""#, 2, isLong: true)))
        let lists = ManifestPlaces(Array("[\n [1]]".utf8))
        #expect(lists.place(at: "/0") == .init(line: 2, column: 2))
    }

    @Test func `a pointer to a missing value leads to its nearest parent`() throws {
        #expect(places.place(at: "/kinds/7/kind") == (try place(of: #""kinds""#)))
        #expect(places.place(at: "/kinds/0/intent") == (try place(of: #"{"kind""#, isLong: true)))
        #expect(places.place(at: "/kinds/5/kind") == (try place(of: "7", 1)))
        #expect(places.place(at: "/app/id/x") == (try place(of: #""id""#)))
        #expect(places.place(at: "/nothing") == .init(line: 1, column: 1))
        #expect(places.place(at: "/kinds/-1") == (try place(of: #""kinds""#)))
    }

    @Test func `a pointer into invalid JSON leads to the error`() {
        #expect(ManifestPlaces(Array("{\n \"é\": x}".utf8)).place(at: "/kinds") == .init(line: 2, column: 7))
        #expect(ManifestPlaces().place(at: "/kinds/0") == .init(line: 1, column: 1))
        #expect(ManifestPlaces().place(of: .init(surface: .widget, kind: "weather")) == nil)
        #expect(ManifestPlaces.Place() == .init(line: 1, column: 1, endColumn: nil))
    }

    @Test(arguments: 1...40) func `every line of a long list is found`(count: Int) {
        let text = "[" + (1...count).map { "\($0)" }.joined(separator: ",\n") + "]"
        let places = ManifestPlaces(Array(text.utf8))
        for line in 1...count {
            #expect(places.place(at: "/\(line - 1)").line == line)
        }
    }
}
