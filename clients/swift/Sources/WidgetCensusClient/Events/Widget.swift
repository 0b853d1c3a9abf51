/// A widget in WidgetKit's terms. Not public, because in an app `Widget` is SwiftUI's protocol.
struct Widget: Hashable, Codable, Sendable {
    var kind: String
    /// `systemSmall` and so on.
    var family: String?
    /// The class name of the configuration intent; nil for a static configuration, too.
    var intent: String?
    /// The number of equal widgets; only in lists, and nil for one.
    var count: Int?

    init(_ kind: String, family: String? = nil, intent: String? = nil) {
        self.kind = kind
        self.family = family
        self.intent = intent
    }
}

extension [Widget] {
    /// Merges equal widgets into one with a count, which keeps long lists short.
    var counted: [Widget] {
        var counts: [Widget: Int] = [:]
        for widget in self { counts[widget, default: 0] += widget.count ?? 1 }
        let widgets = counts.map { widget, count in
            var widget = widget
            widget.count = count == 1 ? nil : count
            return widget
        }
        return widgets.sorted {
            ($0.kind, $0.family ?? "", $0.intent ?? "") < ($1.kind, $1.family ?? "", $1.intent ?? "")
        }
    }
}
