/// Whether a kind may be offered in the widget gallery: docs/contract.md, "GET /v1/gallery-policy".
public enum GalleryAnswer: String, Hashable, Sendable, CaseIterable {
    case show
    /// Offered to devices that have it, and to no others.
    case hideUnlessInstalled = "hide_unless_installed"
    case hide

    /// The answer for no device in particular.
    public init(_ lifecycle: Lifecycle) {
        switch lifecycle {
        case .active: self = .show
        case .legacy: self = .hideUnlessInstalled
        case .retired: self = .hide
        }
    }
}

/// The answer for one device, based on everything it ever sent. Anything unknown, suspect or stale means `show`.
public struct DeviceGalleryPolicy: Hashable, Sendable {
    /// The report that every `hide` is based on; nil if there is none.
    public let report: ReportReference?
    private let state: DeviceState
    private let mayHide: Bool

    /// - Parameters:
    ///   - state: folded from every committed observation, reconciled or not; empty for a device never seen.
    ///   - now: the server's clock.
    public init(_ state: DeviceState, window: ActivityWindow, now: Timestamp) {
        self.state = state
        let report = state.surfaces[.widget]?.lastReport
        self.report = report
        self.mayHide =
            !state.isCloned && state.circumstances?.canHideOneKind == true
            && report.map { window.end(lastHeard: $0.at) > now } == true
    }

    public func answer(kind: String, lifecycle: Lifecycle) -> GalleryAnswer {
        guard lifecycle != .active, mayHide, let surface = state.surfaces[.widget] else { return .show }
        // What it holds is not enough to hide: after an event took the last of a kind, the OS may still list another. And if
        // another surface may hold the kind, the device does not lack it, whatever the list of widgets says.
        let isHeld = state.surfaces.values.contains { $0.possible(ofKind: kind) > 0 }
        return surface.lacks(kind: kind) && !isHeld ? .hide : .show
    }
}

extension Observation.Circumstances {
    /// On iOS 14 an empty list of families may hide all of the app's widgets (Apple's developer forum, thread 688120), so the
    /// version must be known to be later.
    fileprivate var canHideOneKind: Bool {
        guard platform == .ios || platform == .ipados else { return true }
        guard let major = osVersion.flatMap({ Int($0.prefix { $0 != "." }) }) else { return false }
        return major >= 15
    }
}

/// What was decided about a kind; `retire_ready` is computed from numbers, not decided.
public enum Lifecycle: String, Hashable, Sendable, CaseIterable {
    case active, legacy, retired
}
