import Testing

@testable import CensusCore

@Suite struct `Surface availability` {
    /// The release notes of each system say when it got widgets, controls and Live Activities, and lost Today extensions.
    private static let firsts: [(Surface, Platform, UInt64)] = [
        (.widget, .ios, 14), (.widget, .ipados, 14), (.widget, .macos, 11), (.widget, .watchos, 9),
        (.widget, .visionos, 26), (.control, .ios, 18), (.control, .ipados, 18), (.control, .macos, 26),
        (.control, .watchos, 26), (.liveActivity, .ios, 16), (.liveActivity, .ipados, 17), (.today, .ios, 8),
        (.today, .ipados, 8), (.today, .macos, 10),
    ]

    @Test(arguments: firsts)
    func `a system has a surface from its first version on`(surface: Surface, platform: Platform, first: UInt64) {
        #expect(surface.isPossible(on: platform, osVersion: "\(first)"))
        #expect(surface.isPossible(on: platform, osVersion: "\(first).0.1"))
        #expect(surface.isPossible(on: platform, osVersion: "\(first + 1).4"))
        #expect(!surface.isPossible(on: platform, osVersion: "\(first - 1)"))
        #expect(!surface.isPossible(on: platform, osVersion: "\(first - 1).9"))
    }

    @Test func `every Android version has widgets, and an unlisted system has no surface`() {
        for surface in Surface.allCases {
            for platform in Platform.allCases
            where !Self.firsts.contains(where: { ($0.0, $0.1) == (surface, platform) }) {
                let isAndroidWidget = surface == .widget && platform == .android
                #expect(surface.isPossible(on: platform, osVersion: "0") == isAndroidWidget, "\(surface) \(platform)")
                #expect(surface.isPossible(on: platform, osVersion: "99") == isAndroidWidget, "\(surface) \(platform)")
            }
        }
    }

    @Test(arguments: ["", "(other)", "v18", ".18"])
    func `a non-numeric version counts as new enough`(version: String) {
        #expect(Surface.control.isPossible(on: .ios, osVersion: version))
        #expect(!Surface.control.isPossible(on: .android, osVersion: version))
    }
}
