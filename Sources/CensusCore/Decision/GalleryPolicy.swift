/// Whether the widget gallery offers a kind. See docs/reference/contract.md, "GET /v1/gallery-policy".
public enum GalleryAnswer: String, Hashable, Sendable, CaseIterable {
    case show
    /// Offered only to devices that have it.
    case hideUnlessInstalled = "hide_unless_installed"
    case hide

    /// The general answer, without a device.
    public init(_ lifecycle: Lifecycle) {
        switch lifecycle {
        case .active: self = .show
        case .legacy: self = .hideUnlessInstalled
        case .retired: self = .hide
        }
    }
}

/// Why a device gets its answer for a legacy or retired kind. The raw values are sent to devices.
public enum GalleryReason: String, Hashable, Sendable, CaseIterable {
    /// The only reason to hide: the device's newest list lacks the kind, and nothing contradicts it.
    case lacksIt = "lacks_it"
    case holdsIt = "holds_it"
    /// The list might be wrong; or it is dated in the future, so an older one might be newer; or the device exists twice.
    case suspect
    /// The newest list is older than the activity window.
    case staleEvidence = "stale_evidence"
    /// The installation never sent a list, or one that can't be read.
    case unknownDevice = "unknown_device"
    /// Before iOS 15, an app can't hide a single kind. Also used if the version is unknown.
    case ios14
    /// PostgreSQL is unavailable, so the device's newest report might be one that the server can't read now.
    case policyStale = "policy_stale"

    public var answer: GalleryAnswer { self == .lacksIt ? .hide : .show }
}

/// The answers for one device, based on everything it ever sent. If anything is unknown, suspect or stale, the answer is
/// `show`.
public struct DeviceGalleryPolicy: Hashable, Sendable {
    /// The report behind every `hide`; nil if there is none.
    public let report: ReportReference?
    /// Until when a `hide` is valid: after that, the report is older than the activity window. Nil without a report.
    public let validUntil: Timestamp?
    private let state: DeviceState
    /// Why the device must not hide anything.
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

    /// - Returns: nil for an active kind, which needs no reason.
    public func reason(kind: String, lifecycle: Lifecycle) -> GalleryReason? {
        guard lifecycle != .active else { return nil }
        if let hindrance { return hindrance }
        // Holding none isn't enough to hide: after an event removed the last one, the OS might still list another. And if
        // another surface might hold the kind, the device doesn't lack it, whatever its list of widgets says.
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
    /// On iOS 14, an empty list of families can hide all of the app's widgets (Apple's developer forum, thread 688120). So the
    /// version must be known, and later.
    fileprivate var canHideOneKind: Bool {
        guard platform == .ios || platform == .ipados else { return true }
        guard let major = osVersion.flatMap({ Int($0.prefix { $0 != "." }) }) else { return false }
        return major >= 15
    }
}
