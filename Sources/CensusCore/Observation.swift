/// One event as the fold sees it: its content, its time and its circumstances.
public struct Observation: Hashable, Sendable {
    /// The sender's id of the event.
    @Bytewise public var id: String
    /// `at` as it was sent. Together with the id and the device it identifies the event.
    public var occurredAt: Timestamp
    /// `at` on the server's clock, which decides the order of events.
    public var at: Timestamp
    public var installation: Pseudonym
    public var surface: Surface
    public var circumstances: Circumstances
    public var event: Event

    public init(
        id: String, occurredAt: Timestamp, at: Timestamp, installation: Pseudonym, surface: Surface,
        circumstances: Circumstances, event: Event
    ) {
        self.id = id
        self.occurredAt = occurredAt
        self.at = at
        self.installation = installation
        self.surface = surface
        self.circumstances = circumstances
        self.event = event
    }

    /// What a batch says about the phone and the app that sent it. Times are on the server's clock.
    public struct Circumstances: Hashable, Sendable {
        public var platform: Platform
        @Bytewise public var osVersion: String?
        /// Distinguishes a beta from the release, because both report the same version.
        @Bytewise public var osBuild: String?
        @Bytewise public var appVersion: String
        /// Events of any channel but `production` are stored and never counted.
        @Bytewise public var channel: String
        public var bootedAt: Timestamp?
        /// Whether the device had restarted since the app's first launch in this installation; nil if unknown.
        public var rebooted: Bool?
        /// The app's first launch in this installation.
        public var firstLaunchedAt: Timestamp?
        /// The version of the gallery policy that the app applied.
        public var galleryPolicy: Int64?

        public init(
            platform: Platform, osVersion: String? = nil, osBuild: String? = nil, appVersion: String,
            channel: String = countedChannel,
            bootedAt: Timestamp? = nil, rebooted: Bool? = nil, firstLaunchedAt: Timestamp? = nil,
            galleryPolicy: Int64? = nil
        ) {
            self.platform = platform
            self.osVersion = osVersion
            self.osBuild = osBuild
            self.appVersion = appVersion
            self.channel = channel
            self.bootedAt = bootedAt
            self.rebooted = rebooted
            self.firstLaunchedAt = firstLaunchedAt
            self.galleryPolicy = galleryPolicy
        }
    }
}

extension Observation.Circumstances {
    /// Events of any other channel are stored and never counted.
    public static let countedChannel = "production"

    public var isCounted: Bool { channel == Observation.Circumstances.countedChannel }

    /// The OS version as it is counted: major and minor, up to the second dot.
    public var osRelease: String? {
        guard let osVersion else { return nil }
        let points = osVersion.utf8.indices.lazy.filter { osVersion.utf8[$0] == UInt8(ascii: ".") }
        return points.dropFirst().first.map { String(osVersion[..<$0]) } ?? osVersion
    }
}

extension Observation: Comparable {
    /// The order of the fold: by time; at equal times events before reports; then by id.
    public static func < (left: Observation, right: Observation) -> Bool {
        if left.at != right.at { return left.at < right.at }
        let (mine, other) = (left.event.type == .widgetsReported, right.event.type == .widgetsReported)
        if mine != other { return other }
        return left.id.hasBytes(of: right.id) ? left.occurredAt < right.occurredAt : left.id.precedesByBytes(right.id)
    }
}

/// The operating system that holds the widgets.
public enum Platform: String, Hashable, Sendable, Decodable, CaseIterable {
    case ios, ipados, macos, watchos, visionos, android

    /// Whether placements have no identity, as with WidgetKit. Android's have ids.
    public var isWidgetKit: Bool { self != .android }
}
