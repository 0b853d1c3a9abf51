package import CensusCore

/// The widgets of one surface: what is really there, and what the system lists instead.
package struct Screen: Sendable {
    /// The truth.
    package internal(set) var placed: [Placement] = [] { didSet { count() } }
    /// Gone with a deleted app, but still in WidgetCenter's list.
    package internal(set) var ghosts: [Placement] = [] { didSet { count() } }
    /// Android ids of widgets that are on no screen; they stay in the list as long as the app is installed.
    package internal(set) var phantoms: [Placement] = [] { didSet { count() } }
    /// Whether the system lists identical widgets once.
    var foldsDuplicates: Bool { didSet { count() } }
    /// What is really there.
    package private(set) var held: [Placement: Int] = [:]
    /// What `WidgetCenter.currentConfigurations()` or `AppWidgetManager.getAppWidgetIds()` returns.
    package private(set) var listed: [Placement: Int] = [:]

    init(foldsDuplicates: Bool) { self.foldsDuplicates = foldsDuplicates }

    /// - Returns: false if there is no such widget.
    mutating func remove(_ widget: Placement) -> Bool {
        guard let position = placed.firstIndex(of: widget) else { return false }
        placed.remove(at: position)
        return true
    }

    /// - Returns: the widget as it is now; nil if there is no such widget.
    mutating func configure(_ widget: Placement, to configuration: String?) -> Placement? {
        guard let position = placed.firstIndex(of: widget) else { return nil }
        placed[position].configuration = configuration
        return placed[position]
    }

    /// Counts ahead: counting is expensive, and the app is opened more often than anything changes.
    private mutating func count() {
        held = placed.counts
        listed = ghosts.isEmpty && phantoms.isEmpty ? held : (placed + ghosts + phantoms).counts
        if foldsDuplicates { listed = listed.mapValues { _ in 1 } }
    }
}

extension [Placement] {
    fileprivate var counts: [Placement: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
