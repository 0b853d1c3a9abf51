/// What one metric is called and means: a row of `docs/metrics.md`.
struct MetricDescription: Hashable, Sendable {
    enum Kind: String, Sendable {
        case counter, gauge, histogram
    }

    var name: String
    var kind: Kind
    var labels: [String]
    var help: String

    init(_ kind: Kind, _ name: String, labels: [String] = [], _ help: String) {
        self.kind = kind
        self.name = name
        self.labels = labels
        self.help = help
    }
}
