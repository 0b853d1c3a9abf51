/// A version of iOS, with what widgets can do there and what WidgetCenter gets wrong.
struct OperatingSystem: Hashable, Sendable, CustomStringConvertible {
    var major: Int
    var minor: Int

    init(_ major: Int, _ minor: Int) {
        self.major = major
        self.minor = minor
    }

    var description: String { "\(major).\(minor)" }

    /// From 14.3 to the last 14: the widgets of a deleted app stay in WidgetCenter's list until the device boots.
    var listsWidgetsOfDeletedApps: Bool { major == 14 && minor >= 3 }

    /// The accessory families came with iOS 16.
    var hasLockScreenWidgets: Bool { major >= 16 }

    /// `WidgetPushHandler` tells the extension of every change of the list, from iOS 26 on.
    var tellsOfChanges: Bool { major >= 26 }

    /// What the system offers to update to; nil where it is the last that the phone can run, or the newest.
    var successor: OperatingSystem? {
        switch (major, minor) {
        case (14, 3): OperatingSystem(14, 8)
        case (17, _): OperatingSystem(18, 5)
        case (18, _), (26, 0): OperatingSystem(26, 1)
        default: nil
        }
    }

    /// In the order of ``EvenSpread``'s fractions: 14.3 comes first, where ``Owner/restlessShare`` is.
    private static let shares: [(system: OperatingSystem, share: Double)] = [
        (OperatingSystem(14, 3), 0.07), (OperatingSystem(14, 8), 0.03), (OperatingSystem(16, 7), 0.05),
        (OperatingSystem(17, 7), 0.17), (OperatingSystem(18, 5), 0.30), (OperatingSystem(26, 0), 0.12),
        (OperatingSystem(26, 1), 0.26),
    ]

    static func drawn(at fraction: Double) -> OperatingSystem {
        shares.element(at: fraction, weight: \.share)?.system ?? OperatingSystem(26, 1)
    }
}
