/// Which operating systems have a surface.
extension Surface {
    /// For each system, the first major version that has it. Absent systems never have it.
    private var since: [Platform: UInt64] {
        switch self {
        case .widget: [.ios: 14, .ipados: 14, .macos: 11, .watchos: 9, .visionos: 26, .android: 0]
        case .control: [.ios: 18, .ipados: 18, .macos: 26, .watchos: 26]
        case .liveActivity: [.ios: 16, .ipados: 17]
        case .today: [.ios: 8, .ipados: 8, .macos: 10]
        }
    }

    /// Whether a device can have it. A version that isn't a number might be new enough.
    public func isPossible(on platform: Platform, osVersion: String) -> Bool {
        guard let first = since[platform] else { return false }
        guard let major = UInt64(osVersion.prefix { $0 != "." }) else { return true }
        return major >= first
    }
}
