/// Which systems have a surface at all.
extension Surface {
    /// The first major version of each system that has it; a system that is absent never has it.
    private var since: [Platform: UInt64] {
        switch self {
        case .widget: [.ios: 14, .ipados: 14, .macos: 11, .watchos: 9, .visionos: 26, .android: 0]
        case .control: [.ios: 18, .ipados: 18, .macos: 26, .watchos: 26]
        case .liveActivity: [.ios: 16, .ipados: 17]
        case .today: [.ios: 8, .ipados: 8, .macos: 10]
        }
    }

    /// Whether a device can have it. One whose version isn't a number may be new enough.
    public func isPossible(on platform: Platform, osVersion: String) -> Bool {
        guard let first = since[platform] else { return false }
        guard let major = UInt64(osVersion.prefix { $0 != "." }) else { return true }
        return major >= first
    }
}
