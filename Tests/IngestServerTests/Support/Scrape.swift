import Testing

/// A response of `/metrics`, parsed as Prometheus' text format 0.0.4. A violation of the format throws.
struct Scrape {
    struct Family: Equatable {
        var name: String
        var type: String
        var help: String
        var labels: Set<String> = []
    }

    struct Broken: Error {
        var line: String
    }

    private(set) var families: [Family] = []
    /// By name and labels, as written in the text.
    private(set) var samples: [String: Double] = [:]

    /// Made once for each text, because each evaluation of a literal parses it again.
    private struct Patterns {
        let name = /[a-z_]+/
        let label = /([a-z]+)="([A-Za-z0-9_.+-]+)"/
    }

    init(_ text: String) throws {
        let patterns = Patterns()
        guard text.hasSuffix("\n") else { throw Broken(line: "no line end at the end") }
        var help = ""
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("# HELP ") {
                help = line
            } else if line.hasPrefix("# TYPE ") {
                try begin(line, after: help)
            } else {
                try add(line, patterns)
            }
        }
    }

    private mutating func begin(_ line: String, after help: String) throws {
        let words = line.split(separator: " ")
        guard words.count == 4, help.hasPrefix("# HELP \(words[2]) "),
            ["counter", "gauge", "histogram"].contains(words[3]),
            !families.contains(where: { $0.name == words[2] })
        else { throw Broken(line: line) }
        families.append(
            Family(
                name: String(words[2]), type: String(words[3]), help: String(help.dropFirst(8 + words[2].count))))
    }

    private mutating func add(_ line: String, _ patterns: Patterns) throws {
        guard let end = line.lastIndex(of: " "), let value = Double(line[line.index(after: end)...]),
            let family = families.last
        else { throw Broken(line: line) }
        let series = String(line[..<end])
        let name = String(series.prefix { $0 != "{" })
        let suffixes = family.type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        guard suffixes.contains(where: { family.name + $0 == name }), samples[series] == nil,
            name.wholeMatch(of: patterns.name) != nil
        else { throw Broken(line: line) }
        for label in try Scrape.labels(series, patterns) where !(label == "le" && family.type == "histogram") {
            families[families.count - 1].labels.insert(label)
        }
        samples[series] = value
    }

    private static func labels(_ series: String, _ patterns: Patterns) throws -> [String] {
        guard let start = series.firstIndex(of: "{") else { return [] }
        guard series.hasSuffix("}") else { throw Broken(line: series) }
        return try series[series.index(after: start)...].dropLast().split(separator: ",").map { pair in
            guard let match = pair.wholeMatch(of: patterns.label) else { throw Broken(line: series) }
            return String(match.1)
        }
    }

    /// Zero for a series that is absent.
    subscript(series: String) -> Double { samples[series] ?? 0 }

    /// The counts of a histogram's buckets, in the order of their bounds.
    func buckets(_ name: String, _ labels: String = "") -> [Double] {
        let prefix = "\(name)_bucket{\(labels)"
        return samples.filter { $0.key.hasPrefix(prefix) }.map { series, count in
            let bound = series.split(separator: "le=\"").last?.dropLast(2) ?? ""
            return (bound == "+Inf" ? .infinity : Double(bound) ?? .nan, count)
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension IngestTestServer {
    func scrape() async throws -> Scrape {
        let response = try await get("/metrics")
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        return try Scrape(response.text)
    }
}
