package import CensusCore

/// The widgets of one surface: those that are really there, and those that the system lists instead.
package struct Screen: Sendable {
    /// The truth.
    package internal(set) var placed: [Placement] = [] { didSet { count() } }
    /// Widgets that are gone with a deleted app, but still in WidgetCenter's list.
    package internal(set) var ghosts: [Placement] = [] { didSet { count() } }
    /// Android's ids of widgets that are on no screen. They stay in the list as long as the app is installed.
    package internal(set) var phantoms: [Placement] = [] { didSet { count() } }
    /// Whether the system lists identical widgets once.
    var foldsDuplicates: Bool { didSet { count() } }
    /// The number of each placement that is really there.
    package private(set) var held: [Placement: Int] = [:]
    /// What `WidgetCenter.currentConfigurations()` or `AppWidgetManager.getAppWidgetIds()` returns.
    package private(set) var listed: [Placement: Int] = [:]

    init(foldsDuplicates: Bool) { self.foldsDuplicates = foldsDuplicates }

    /// - Returns: false if the screen doesn't have the widget.
    mutating func remove(_ widget: Placement) -> Bool {
        guard let position = placed.firstIndex(of: widget) else { return false }
        placed.remove(at: position)
        return true
    }

    /// - Returns: the widget as it is now; nil if the screen doesn't have it.
    mutating func configure(_ widget: Placement, to configuration: String?) -> Placement? {
        guard let position = placed.firstIndex(of: widget) else { return nil }
        placed[position].configuration = configuration
        return placed[position]
    }

    /// Counts at each change, because counting is expensive, and lists are read more often than anything changes.
    private mutating func count() {
        held = placed.counts
        listed = ghosts.isEmpty && phantoms.isEmpty ? held : (placed + ghosts + phantoms).counts
        if foldsDuplicates { listed = listed.mapValues { _ in 1 } }
    }
}

extension [Placement] {
    fileprivate var counts: [Placement: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
