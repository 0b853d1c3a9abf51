public import Foundation

extension URL {
    /// Returns this URL with a widget's kind and family added to its query, for `.widgetURL(_:)` and `Link(destination:)`.
    ///
    /// iOS hands it to the app when the user taps the widget. Pass it to ``Census/opened(url:)`` there.
    public func naming(widget kind: String, family: String? = nil, intent: String? = nil) -> URL {
        let named = [(WidgetURL.kind, kind), (WidgetURL.family, family), (WidgetURL.intent, intent)]
        return appending(
            queryItems: named.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } })
    }
}

extension Census {
    /// The user tapped a widget, if the URL is one that `URL.naming(widget:family:intent:)` returned.
    ///
    /// - Returns: whether the URL names a widget.
    @discardableResult
    public func opened(url: URL) -> Bool {
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard let kind = value(WidgetURL.kind) else { return false }
        opened(kind, family: value(WidgetURL.family), intent: value(WidgetURL.intent))
        return true
    }
}

/// The names in the query.
private enum WidgetURL {
    static let kind = "census_kind"
    static let family = "census_family"
    static let intent = "census_intent"
}
