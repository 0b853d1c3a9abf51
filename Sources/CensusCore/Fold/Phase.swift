/// A stretch of time `[from, to)` in which a device was heard from and ran one version of the app on one version of the OS.
///
/// One row of the table `phase`. With what the device holds, it determines the cells in which the device is counted.
public struct Phase: Hashable, Sendable {
    public var from: Timestamp
    /// Nil while it lasts, which is until the device falls silent.
    public var to: Timestamp?
    public var traits: Traits

    public init(from: Timestamp, to: Timestamp? = nil, traits: Traits) {
        self.from = from
        self.to = to
        self.traits = traits
    }

    /// What does not change within a phase.
    public struct Traits: Hashable, Sendable {
        public var platform: Platform
        /// Major and minor; nil when not sent.
        @Bytewise public var osRelease: String?
        @Bytewise public var appVersion: String
        /// The version of the gallery policy that the installation last said it had applied.
        public var galleryPolicy: Int64?
        /// Whether a report had succeeded within the activity window. In the last phase, only whether one had succeeded: see
        /// ``DeviceReading/reportingUntil``.
        public var isReporting: Bool
        public var isCloned: Bool

        public init(
            platform: Platform, osRelease: String?, appVersion: String, galleryPolicy: Int64? = nil,
            isReporting: Bool = false, isCloned: Bool = false
        ) {
            self.platform = platform
            self.osRelease = osRelease
            self.appVersion = appVersion
            self.galleryPolicy = galleryPolicy
            self.isReporting = isReporting
            self.isCloned = isCloned
        }
    }
}

/// The phases of one device while they are being built. Time never runs backwards.
struct PhaseHistory: Hashable, Sendable {
    /// By time; the last may be open.
    private(set) var all: [Phase] = []

    init(all: [Phase] = []) { self.all = all }

    /// The phase that lasts; nil while the device is silent.
    var open: Phase? { all.last.flatMap { $0.to == nil ? $0 : nil } }

    mutating func close(at time: Timestamp) {
        guard let open else { return }
        if open.from == time { all.removeLast() } else { all[all.count - 1].to = time }
    }

    /// Begins a phase at `time`, unless the open one has the same traits.
    mutating func set(_ traits: Phase.Traits, at time: Timestamp) {
        guard open?.traits != traits else { return }
        close(at: time)
        // A phase set at this very instant never existed: the previous one goes on.
        if let last = all.last, last.to == time, last.traits == traits {
            all[all.count - 1].to = nil
        } else {
            all.append(Phase(from: time, traits: traits))
        }
    }

    /// Without the phases that no later observation can change, because they ended by the last one. Time and clones may have
    /// added more after it, the last of which may turn out never to have existed.
    func withoutFixed(heardAt: Timestamp?) -> PhaseHistory {
        let fixed = all.dropLast().prefix { phase in heardAt.map { phase.to ?? .max <= $0 } ?? false }
        return PhaseHistory(all: Array(all.dropFirst(fixed.count)))
    }
}
