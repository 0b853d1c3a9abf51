import Foundation

/// A metric as docs/reference/metrics.md lists it.
struct DescribedMetric: Sendable {
    var type: String
    var labels: Set<String>

    /// By name.
    static let all: [String: DescribedMetric] = {
        let page = Dashboard.folder.appending(path: "../docs/reference/metrics.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        let rows = text.split(separator: "\n").compactMap {
            $0.firstMatch(of: /^\| `(\w+)` \| (\w+) \| ([\w, ]*) ?\|/)?.output
        }
        let metrics = rows.map { row in
            let labels = row.3.split { ", ".contains($0) }.map(String.init)
            return (String(row.1), DescribedMetric(type: String(row.2), labels: Set(labels)))
        }
        return Dictionary(uniqueKeysWithValues: metrics)
    }()
}

/// The names in a PromQL expression, for the part of PromQL that the dashboard uses.
struct PrometheusQuery {
    struct Unknown: Error, CustomStringConvertible {
        var description: String
    }

    private static let words: Set = ["sum", "min", "max", "rate", "increase", "time", "histogram_quantile"]

    private(set) var metrics: Set<String> = []
    private(set) var labels: Set<String> = []
    /// Metrics within `rate` or `increase`.
    private(set) var counted: Set<String> = []

    /// - Throws: ``Unknown`` for an unknown function, metric or variable.
    init(_ text: String) throws {
        var rest = text
        for match in text.matches(of: /\{([^}]*)\}/) {
            labels.formUnion(match.1.matches(of: /(\w+)\s*=~?\s*"/).map { String($0.1) })
        }
        rest.replace(/\{[^}]*\}/) { _ in "" }
        for match in rest.matches(of: /\b(?:by|on|group_left) \(([^)]*)\)/) {
            labels.formUnion(match.1.split { ", ".contains($0) }.map(String.init))
        }
        rest.replace(/\b(by|on|group_left) \([^)]*\)/) { _ in "" }
        for match in rest.matches(of: /\b(?:rate|increase)\((\w+)\[(\$__rate_interval|\d+[mh])\]\)/) {
            counted.insert(String(match.1))
        }
        rest.replace(/\[(\$__rate_interval|\d+[mh])\]/) { _ in "" }
        for match in rest.matches(of: /[a-zA-Z_$]\w*/) where !Self.words.contains(String(match.output)) {
            let isOurs = ["widget_census_", "process_"].contains { match.output.hasPrefix($0) }
            guard isOurs else { throw Unknown(description: "\(match.output) in \(text)") }
            metrics.insert(String(match.output))
        }
    }

    /// - Throws: ``Unknown`` for a metric or a label that is not described, and for a counter without a rate.
    func check(against described: [String: DescribedMetric]) throws {
        var known: Set = ["instance", "job"]
        for name in metrics {
            let part = ["_bucket", "_sum", "_count"].first { name.hasSuffix($0) }
            guard let metric = described[part.map { String(name.dropLast($0.count)) } ?? name],
                (metric.type == "histogram") == (part != nil)
            else { throw Unknown(description: "there is no metric \(name)") }
            guard (metric.type != "gauge") == counted.contains(name) else {
                throw Unknown(description: "\(name) is a \(metric.type)")
            }
            known.formUnion(metric.labels)
            if part == "_bucket" { known.insert("le") }
        }
        let unknown = labels.subtracting(known)
        if !unknown.isEmpty { throw Unknown(description: "there is no label \(unknown.sorted())") }
    }
}
