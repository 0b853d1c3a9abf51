import CensusCore

/// How much of a widget an app's events name; its reports always name all.
enum Naming: Sendable {
    case full
    /// No family, and on Android no instance: an event then speaks of one of its kind, whichever.
    case sparse

    func worded(_ event: Event) -> Event {
        switch event {
        case .installed(let one): .installed(worded(one))
        case .removed(let one): .removed(worded(one))
        case .configured(let one): .configured(worded(one))
        case .opened(let one): .opened(worded(one))
        case .rendered(let one): .rendered(worded(one))
        case .reported, .readFailed, .restored: event
        }
    }

    private func worded(_ placement: Placement) -> Placement {
        guard self == .sparse else { return placement }
        var named = placement
        named.family = nil
        named.instance = nil
        return named
    }
}
