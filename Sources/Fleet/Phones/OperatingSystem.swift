package import CensusCore

/// A version of iOS or Android, and what it supports.
package struct OperatingSystem: Hashable, Sendable, CustomStringConvertible {
    package var platform: Platform
    var major: Int
    var minor: Int

    /// A version of iOS.
    package init(_ major: Int, _ minor: Int) {
        self.init(platform: .ios, major: major, minor: minor)
    }

    /// Parses a version of iOS like `14.3`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let major = parts[0], let minor = parts[1], major >= 14, minor >= 0 else { return nil }
        self.init(major, minor)
    }

    package init(platform: Platform, major: Int, minor: Int) {
        self.platform = platform
        self.major = major
        self.minor = minor
    }

    static func android(_ version: Int) -> OperatingSystem {
        OperatingSystem(platform: .android, major: version, minor: 0)
    }

    package var description: String { platform == .android ? "\(major)" : "\(major).\(minor)" }

    /// The accessory families came with iOS 16.
    var hasLockScreenWidgets: Bool { platform == .ios && major >= 16 }

    /// Whether it notifies the app of every change to the list: the provider on Android, and from iOS 26 on the extension, with
    /// `WidgetPushHandler`.
    var tellsOfChanges: Bool { platform == .android || major >= 26 }

    /// The version that it can update to; nil if it is the newest, or the last that the phone can run.
    var successor: OperatingSystem? {
        switch (major, minor) {
        case _ where platform == .android: major < 16 ? .android(major + 1) : nil
        case (14, ..<8): OperatingSystem(platform: platform, major: 14, minor: 8)
        case (17, _): OperatingSystem(platform: platform, major: 18, minor: 5)
        case (18, _), (26, 0): OperatingSystem(platform: platform, major: 26, minor: 1)
        default: nil
        }
    }

    /// The version on new phones.
    var onNewPhones: OperatingSystem { platform == .android ? .android(16) : .newestIOS }

    private static let newestIOS = OperatingSystem(26, 1)

    /// In the order of ``EvenSpread``'s fractions. 14.3 is first, because ``Owner/restlessShare`` takes the lowest fractions.
    private static let iosShares: [(system: OperatingSystem, share: Double)] = [
        (OperatingSystem(14, 3), 0.07), (OperatingSystem(14, 8), 0.03), (OperatingSystem(16, 7), 0.05),
        (OperatingSystem(17, 7), 0.17), (OperatingSystem(18, 5), 0.30), (OperatingSystem(26, 0), 0.12),
        (.newestIOS, 0.26),
    ]

    /// The versions of iOS that a fleet's phones run.
    package static var ofFleets: [OperatingSystem] { iosShares.map(\.system) }

    private static let androidShares: [(system: OperatingSystem, share: Double)] = [
        (.android(11), 0.1), (.android(13), 0.2), (.android(14), 0.3), (.android(15), 0.25), (.android(16), 0.15),
    ]

    static func picked(at fraction: Double, platform: Platform) -> OperatingSystem {
        (platform == .android ? androidShares : iosShares).element(at: fraction, weight: \.share)?.system ?? .newestIOS
    }
}

/// The systems' bugs, with the versions that have them.
package struct Quirks: Sendable, Hashable {
    /// WidgetCenter still lists the widgets of a deleted app until the device boots.
    package var ghosts: Set<OperatingSystem>
    /// WidgetCenter lists identical widgets once.
    package var foldedDuplicates: Set<OperatingSystem>
    /// Builds that also still list removed widgets.
    package var listedRemovals: Set<String>

    package init(
        ghosts: Set<OperatingSystem> = Set((3...8).map { OperatingSystem(14, $0) }),
        foldedDuplicates: Set<OperatingSystem> = [OperatingSystem(16, 7)], listedRemovals: Set<String> = []
    ) {
        self.ghosts = ghosts
        self.foldedDuplicates = foldedDuplicates
        self.listedRemovals = listedRemovals
    }
}
