/// Whether a kind may be offered in the widget gallery: docs/reference/contract.md, "GET /v1/gallery-policy".
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

/// Why a device gets its answer for a kind that is legacy or retired. The raw value is on the wire.
public enum GalleryReason: String, Hashable, Sendable, CaseIterable {
    /// The only one that hides: its newest list lacks the kind, and nothing says otherwise.
    case lacksIt = "lacks_it"
    case holdsIt = "holds_it"
    /// The list may be wrong or is dated ahead, so that an older one may be newer, or the device exists twice.
    case suspect
    /// The newest list is older than the activity window.
    case staleEvidence = "stale_evidence"
    /// This installation never sent a list, or what it sent can't be read.
    case unknownDevice = "unknown_device"
    /// Before iOS 15 a single kind can't be hidden. Also used when the version is unknown.
    case ios14
    /// The store is away: a device's newest report may be one that can't be read now.
    case policyStale = "policy_stale"

    public var answer: GalleryAnswer { self == .lacksIt ? .hide : .show }
}

/// The answers for one device, based on everything it ever sent. Anything unknown, suspect or stale means `show`.
public struct DeviceGalleryPolicy: Hashable, Sendable {
    /// The report that every `hide` is based on; nil if there is none.
    public let report: ReportReference?
    /// Until when a `hide` holds: after that the report is older than the activity window. Nil if there is no report.
    public let validUntil: Timestamp?
    private let state: DeviceState
    /// Why nothing may be hidden at all.
    private let hindrance: GalleryReason?

    /// - Parameters:
    ///   - state: folded from every committed observation, reconciled or not; empty for a device never seen.
    ///   - now: the server's clock.
    public init(_ state: DeviceState, window: ActivityWindow, now: Timestamp) {
        self.state = state
        report = state.surfaces[.widget]?.lastReport
        validUntil = report.map { window.end(lastHeard: $0.at) }
        hindrance =
            if report == nil {
                .unknownDevice
            } else if state.circumstances?.canHideOneKind != true {
                .ios14
            } else if validUntil.map({ $0 > now }) != true {
                .staleEvidence
            } else if state.isCloned || report.map({ $0.at > now + Limits().clockTolerance }) == true {
                .suspect
            } else {
                nil
            }
    }

    /// - Returns: nil for a kind that is active, which is shown without a reason.
    public func reason(kind: String, lifecycle: Lifecycle) -> GalleryReason? {
        guard lifecycle != .active else { return nil }
        if let hindrance { return hindrance }
        // What it holds is not enough to hide: after an event took the last of a kind, the OS may still list another. And if
        // another surface may hold the kind, the device does not lack it, whatever the list of widgets says.
        let held = state.surfaces.values.flatMap(\.holdings).filter { $0.key.kind.hasBytes(of: kind) }.map(\.value)
        if held.contains(where: { $0.certain > 0 }) { return .holdsIt }
        if held.contains(where: { $0.possible > 0 }) { return .suspect }
        return state.surfaces[.widget]?.lacks(kind: kind) == true ? .lacksIt : .holdsIt
    }

    public func answer(kind: String, lifecycle: Lifecycle) -> GalleryAnswer {
        reason(kind: kind, lifecycle: lifecycle)?.answer ?? .show
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
