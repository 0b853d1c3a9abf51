/// Prometheus' text format, version 0.0.4.
struct Exposition {
    private(set) var text = ""

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Writes a metric's samples. Without any, the metric is left out: a missing series is better than a wrong number.
    ///
    /// - Parameter samples: label values, in the order of the description's labels.
    mutating func add(_ metric: MetricDescription, _ samples: [(labels: [String], value: String)]) {
        guard !samples.isEmpty else { return }
        begin(metric)
        for sample in samples { add(metric.name, metric.labels, sample.labels, sample.value) }
    }

    mutating func add(_ metric: MetricDescription, _ value: some BinaryInteger) { add(metric, [([], String(value))]) }

    mutating func add(_ metric: MetricDescription, _ value: Double) { add(metric, [([], String(value))]) }

    /// - Parameter unit: how many of the histogram's units make one of the metric's.
    mutating func add(_ metric: MetricDescription, _ histograms: [(labels: [String], Histogram)], unit: Int = 1) {
        begin(metric)
        for (labels, histogram) in histograms {
            // Read once, so that buckets and count agree.
            let counts = histogram.cumulativeCounts
            let bounds = histogram.bounds.map { Exposition.number($0, unit: unit) } + ["+Inf"]
            for (bound, count) in zip(bounds, counts) {
                add(metric.name + "_bucket", metric.labels + ["le"], labels + [bound], String(count))
            }
            add(metric.name + "_sum", metric.labels, labels, Exposition.number(histogram.sum, unit: unit))
            add(metric.name + "_count", metric.labels, labels, String(counts.last ?? 0))
        }
    }

    private mutating func begin(_ metric: MetricDescription) {
        text += "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) \(metric.kind.rawValue)\n"
    }

    /// Label values are our own words, without quotes, backslashes or line ends.
    private mutating func add(_ name: String, _ labels: [String], _ values: [String], _ value: String) {
        text += name
        if !labels.isEmpty {
            text += "{" + zip(labels, values).map { "\($0)=\"\($1)\"" }.joined(separator: ",") + "}"
        }
        text += " \(value)\n"
    }

    private static func number(_ value: Int, unit: Int) -> String {
        unit == 1 ? String(value) : String(Double(value) / Double(unit))
    }
}
