import CensusCore

/// The truth about one phone, and what WidgetCenter says instead.
struct SimulatedDevice: Sendable {
    /// One life of the app on the device.
    struct Installation: Sendable {
        let id: String
        var version: String
        /// Nil before the first launch; until then the app has no widgets to offer.
        var firstLaunchedAt: Timestamp?
    }

    /// Survives a reinstall: it is kept in the keychain.
    let id: String
    private(set) var system: OperatingSystem
    private(set) var bootedAt: Timestamp
    private(set) var app: Installation?
    /// The widgets on the device's screens: the truth.
    private(set) var placed: [Placement] = []
    /// Gone with a deleted app, and still in WidgetCenter's list.
    private(set) var ghosts: [Placement] = []

    init(id: String, system: OperatingSystem, bootedAt: Timestamp) {
        self.id = id
        self.system = system
        self.bootedAt = bootedAt
    }

    /// What `WidgetCenter.currentConfigurations()` returns.
    var listed: [Placement: Int] {
        (placed + ghosts).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    mutating func installApp(_ version: String, id: String) {
        guard app == nil else { return }
        app = Installation(id: id, version: version)
    }

    mutating func updateApp(to version: String) {
        app?.version = version
    }

    /// Takes the app's widgets off the screens.
    mutating func deleteApp() {
        guard app != nil else { return }
        app = nil
        if system.listsWidgetsOfDeletedApps { ghosts += placed }
        placed = []
    }

    mutating func launchApp(at time: Timestamp) {
        if app?.firstLaunchedAt == nil { app?.firstLaunchedAt = time }
    }

    mutating func restart(at time: Timestamp) {
        bootedAt = time
        ghosts = []
    }

    mutating func update(to system: OperatingSystem, at time: Timestamp) {
        self.system = system
        restart(at: time)
    }

    /// - Returns: false when there is no app that could have widgets.
    @discardableResult
    mutating func place(_ placement: Placement) -> Bool {
        guard app?.firstLaunchedAt != nil else { return false }
        placed.append(placement)
        return true
    }

    /// - Returns: false when the device holds no such widget.
    @discardableResult
    mutating func remove(_ placement: Placement) -> Bool {
        guard let position = placed.firstIndex(of: placement) else { return false }
        placed.remove(at: position)
        return true
    }
}
