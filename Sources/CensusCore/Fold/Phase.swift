/// A period `[from, to)` in which a device was heard from and ran one version of the app on one version of the OS.
///
/// It is one row of the table `phase`. Together with what the device holds, it determines the cells in which the device is
/// counted.
public struct Phase: Hashable, Sendable {
    public var from: Timestamp
    /// Nil for an open phase, which lasts until the device falls silent.
    public var to: Timestamp?
    public var traits: Traits

    public init(from: Timestamp, to: Timestamp? = nil, traits: Traits) {
        self.from = from
        self.to = to
        self.traits = traits
    }

    /// What stays the same within a phase.
    public struct Traits: Hashable, Sendable {
        public var platform: Platform
        /// Major and minor version; nil if not sent.
        @Bytewise public var osRelease: String?
        @Bytewise public var appVersion: String
        /// The version of the gallery policy that the installation last said it had applied.
        public var galleryPolicy: Int64?
        /// Whether a report succeeded within the activity window. In the last phase, only whether any report ever succeeded:
        /// see ``DeviceReading/reportingUntil``.
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
    /// In order of time; the last one can be open.
    private(set) var all: [Phase] = []

    init(all: [Phase] = []) { self.all = all }

    /// The open phase; nil while the device is silent.
    var open: Phase? { all.last.flatMap { $0.to == nil ? $0 : nil } }

    mutating func close(at time: Timestamp) {
        guard let open else { return }
        if open.from == time { all.removeLast() } else { all[all.count - 1].to = time }
    }

    /// Begins a phase at `time`, unless the open one has the same traits.
    mutating func set(_ traits: Phase.Traits, at time: Timestamp) {
        guard open?.traits != traits else { return }
        close(at: time)
        // A phase set at this very instant never existed, so the previous one goes on.
        if let last = all.last, last.to == time, last.traits == traits {
            all[all.count - 1].to = nil
        } else {
            all.append(Phase(from: time, traits: traits))
        }
    }

    /// The phases except those that no later observation can change, because they ended by the last one. Time and clones can
    /// have added more after it, and the last of these might turn out never to have existed.
    func withoutFixed(heardAt: Timestamp?) -> PhaseHistory {
        let fixed = all.dropLast().prefix { phase in heardAt.map { phase.to ?? .max <= $0 } ?? false }
        return PhaseHistory(all: Array(all.dropFirst(fixed.count)))
    }
}
