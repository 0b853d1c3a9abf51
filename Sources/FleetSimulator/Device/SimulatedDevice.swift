import CensusCore

/// The truth about one phone, and what its system's list says instead.
struct SimulatedDevice: Sendable {
    /// One life of the app on the device.
    struct Installation: Sendable {
        let id: String
        var version: String
        /// Nil before the first launch; until then the app has no widgets to offer.
        var firstLaunchedAt: Timestamp?
    }

    /// Kept in the keychain, so it survives a reinstall.
    private(set) var id: String
    private(set) var system: OperatingSystem
    private(set) var bootedAt: Timestamp
    private(set) var app: Installation?
    /// The widgets on the device's screens: the truth.
    private(set) var placed: [Placement] = [] { didSet { count() } }
    /// Gone with a deleted app, but still in WidgetCenter's list.
    private(set) var ghosts: [Placement] = [] { didSet { count() } }
    /// Android ids of widgets that are on no screen; they stay in the list as long as the app is installed.
    private(set) var phantoms: [Placement] = [] { didSet { count() } }
    /// What is really there.
    private(set) var held: [Placement: Int] = [:]
    /// What `WidgetCenter.currentConfigurations()` or `AppWidgetManager.getAppWidgetIds()` returns.
    private(set) var listed: [Placement: Int] = [:]
    private let quirks: Quirks
    /// The kind that the app's last release drops.
    private let droppedKind: String?
    private var nextInstance: Int

    init(
        id: String, system: OperatingSystem, bootedAt: Timestamp, quirks: Quirks = Quirks(),
        droppedKind: String? = nil, firstInstance: Int = 1
    ) {
        self.id = id
        self.system = system
        self.bootedAt = bootedAt
        self.quirks = quirks
        self.droppedKind = droppedKind
        nextInstance = firstInstance
    }

    mutating func installApp(_ version: String, id: String) {
        guard app == nil else { return }
        app = Installation(id: id, version: version)
    }

    /// Removes the widgets whose kind the version no longer has.
    mutating func updateApp(to version: String) {
        app?.version = version
        guard version == AppRelease.last, let droppedKind else { return }
        placed.removeAll { $0.kind == droppedKind }
        phantoms.removeAll { $0.kind == droppedKind }
    }

    /// Removes the app, and its widgets from the screens.
    mutating func deleteApp() {
        guard app != nil else { return }
        app = nil
        if quirks.ghosts.contains(system) { ghosts += placed }
        placed = []
        phantoms = []
    }

    mutating func launchApp(at time: Timestamp) {
        if app?.firstLaunchedAt == nil { app?.firstLaunchedAt = time }
    }

    mutating func restart(at time: Timestamp) {
        bootedAt = time
        if !ghosts.isEmpty { ghosts = [] }
    }

    mutating func update(to system: OperatingSystem, at time: Timestamp) {
        self.system = system
        restart(at: time)
        count()
    }

    /// The keychain is wiped while the app is not installed, so the next installation takes the device for a new one.
    mutating func loseID(to id: String) {
        if app == nil { self.id = id }
    }

    /// A new phone takes this one's place, restored from its backup: it has the widgets and the app, which was never launched
    /// there, but neither the device id nor the installation id.
    ///
    /// - Returns: old instance to new, on Android.
    mutating func moveToNewPhone(
        id: String, system: OperatingSystem, appVersion: String, installation: String, at time: Timestamp
    ) -> [String: String] {
        self.id = id
        update(to: system, at: time)
        app = Installation(id: installation, version: appVersion)
        updateApp(to: appVersion)
        return renumber()
    }

    /// On Android, a restored layout gives all widgets new instances.
    ///
    /// - Returns: old instance to new.
    @discardableResult
    mutating func renumber() -> [String: String] {
        guard system.platform == .android else { return [:] }
        var renamed: [String: String] = [:]
        func renew(_ old: Placement) -> Placement {
            let new = numbered(old)
            if let before = old.instance, let after = new.instance { renamed[before] = after }
            return new
        }
        placed = placed.map { renew($0) }
        phantoms = phantoms.map { renew($0) }
        return renamed
    }

    /// - Returns: the widget now on the screen, with its instance on Android; nil if no app is there that could have widgets.
    @discardableResult
    mutating func place(_ placement: Placement) -> Placement? {
        guard let app, app.firstLaunchedAt != nil, placement.kind != droppedKind || app.version != AppRelease.last
        else { return nil }
        let placement = numbered(placement)
        placed.append(placement)
        return placement
    }

    /// The owner cancels the configuration screen of a widget that was about to be placed.
    ///
    /// - Returns: the phantom; nil if this leaves none.
    @discardableResult
    mutating func abandon(_ placement: Placement) -> Placement? {
        guard system.platform == .android, app?.firstLaunchedAt != nil else { return nil }
        let placement = numbered(placement)
        phantoms.append(placement)
        return placement
    }

    /// - Returns: false if the device holds no such widget.
    @discardableResult
    mutating func remove(_ placement: Placement) -> Bool {
        guard let position = placed.firstIndex(of: placement) else { return false }
        placed.remove(at: position)
        return true
    }

    /// - Returns: the widget as it is now; nil if the device holds no such widget.
    @discardableResult
    mutating func configure(_ placement: Placement, to configuration: String) -> Placement? {
        guard let position = placed.firstIndex(of: placement) else { return nil }
        placed[position].configuration = configuration
        return placed[position]
    }

    /// Counts ahead: counting is expensive, and the app is opened more often than anything changes.
    private mutating func count() {
        held = placed.counts
        listed = ghosts.isEmpty && phantoms.isEmpty ? held : (placed + ghosts + phantoms).counts
        if quirks.foldedDuplicates.contains(system) { listed = listed.mapValues { _ in 1 } }
    }

    private mutating func numbered(_ placement: Placement) -> Placement {
        guard system.platform == .android else { return placement }
        var placement = placement
        placement.instance = String(nextInstance)
        nextInstance += 1
        return placement
    }
}

extension [Placement] {
    fileprivate var counts: [Placement: Int] { reduce(into: [:]) { $0[$1, default: 0] += 1 } }
}
