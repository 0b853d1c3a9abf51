package import CensusCore

/// One phone: its true state, and what its system lists instead.
package struct SimulatedDevice: Sendable {
    struct Installation: Sendable {
        let id: String
        var version: String
        /// Nil before the first launch. Until then the gallery has no widgets of the app.
        var firstLaunchedAt: Timestamp?
    }

    /// Kept in the keychain, so it survives a reinstall.
    package private(set) var id: String
    package private(set) var system: OperatingSystem
    /// Distinguishes a beta of the system from its release.
    package private(set) var build: String?
    private(set) var bootedAt: Timestamp
    private(set) var app: Installation?
    private var screens: [Surface: Screen] = [:]
    private let quirks: Quirks
    /// The kind that the app's last release drops.
    private let droppedKind: String?
    private var instances: Instances

    /// The ids that Android gives to new widgets.
    enum Instances: Sendable {
        /// Consecutive numbers, starting with this one.
        case from(Int)
        /// Only these, from the last to the first.
        case only([Int])

        fileprivate mutating func next() -> String? {
            switch self {
            case .from(let number):
                self = .from(number + 1)
                return String(number)
            case .only(var left):
                let number = left.popLast()
                self = .only(left)
                return number.map(String.init)
            }
        }
    }

    init(
        id: String, system: OperatingSystem, build: String? = nil, bootedAt: Timestamp, quirks: Quirks = Quirks(),
        droppedKind: String? = nil, instances: Instances = .from(1)
    ) {
        self.id = id
        self.system = system
        self.build = build
        self.bootedAt = bootedAt
        self.quirks = quirks
        self.droppedKind = droppedKind
        self.instances = instances
    }

    package internal(set) subscript(surface: Surface) -> Screen {
        get { screens[surface] ?? Screen(foldsDuplicates: quirks.foldedDuplicates.contains(system)) }
        set { screens[surface] = newValue }
    }

    // The surface `widget`, which is the only one on most phones.

    var placed: [Placement] { screens[.widget]?.placed ?? [] }
    var ghosts: [Placement] { screens[.widget]?.ghosts ?? [] }
    var phantoms: [Placement] { screens[.widget]?.phantoms ?? [] }
    var held: [Placement: Int] { screens[.widget]?.held ?? [:] }
    var listed: [Placement: Int] { screens[.widget]?.listed ?? [:] }

    mutating func installApp(_ version: String, id: String) {
        guard app == nil else { return }
        app = Installation(id: id, version: version)
    }

    /// Updates the app, and removes widgets whose kind the new version no longer has.
    mutating func updateApp(to version: String) {
        app?.version = version
        guard version == AppRelease.last, let droppedKind else { return }
        lose(droppedKind)
    }

    mutating func lose(_ kind: String) {
        self[.widget].placed.removeAll { $0.kind == kind }
        self[.widget].phantoms.removeAll { $0.kind == kind }
    }

    /// Removes the app, and its widgets from the screens.
    ///
    /// - Parameter goesOnListing: selects the widgets that become ghosts, if the system has the bug.
    mutating func deleteApp(goesOnListing: (Placement) -> Bool = { _ in true }) {
        guard app != nil else { return }
        app = nil
        for surface in screens.keys.sorted() {
            if hasGhosts { self[surface].ghosts = (self[surface].ghosts + self[surface].placed).filter(goesOnListing) }
            self[surface].placed = []
            self[surface].phantoms = []
        }
    }

    private var hasGhosts: Bool { quirks.ghosts.contains(system) || listsRemoved }
    private var listsRemoved: Bool { build.map(quirks.listedRemovals.contains) ?? false }

    mutating func launchApp(at time: Timestamp) {
        if app?.firstLaunchedAt == nil { app?.firstLaunchedAt = time }
    }

    mutating func restart(at time: Timestamp) {
        bootedAt = time
        for surface in screens.keys.sorted() where !self[surface].ghosts.isEmpty { self[surface].ghosts = [] }
    }

    mutating func update(to system: OperatingSystem, at time: Timestamp) {
        self.system = system
        build = nil
        restart(at: time)
        for surface in screens.keys.sorted() {
            self[surface].foldsDuplicates = quirks.foldedDuplicates.contains(system)
        }
    }

    /// Wipes the keychain while the app is not installed, so that the next installation takes the device for a new one.
    mutating func loseID(to id: String) {
        if app == nil { self.id = id }
    }

    /// Replaces the phone by a new one, restored from its backup. The new one has the widgets and the app, which was never
    /// launched there, but new device and installation ids.
    ///
    /// - Returns: on Android, the new instance for each old one.
    mutating func moveToNewPhone(
        id: String, system: OperatingSystem, appVersion: String, installation: String, at time: Timestamp
    ) -> [String: String] {
        self.id = id
        update(to: system, at: time)
        app = Installation(id: installation, version: appVersion)
        updateApp(to: appVersion)
        return renumber()
    }

    /// Gives all widgets new instances, as Android does when it restores a layout.
    ///
    /// - Returns: the new instance for each old one.
    @discardableResult
    mutating func renumber() -> [String: String] {
        guard system.platform == .android else { return [:] }
        var renamed: [String: String] = [:]
        func renew(_ old: Placement) -> Placement {
            guard let new = numbered(old) else { return old }
            if let before = old.instance, let after = new.instance { renamed[before] = after }
            return new
        }
        self[.widget].placed = placed.map { renew($0) }
        self[.widget].phantoms = phantoms.map { renew($0) }
        return renamed
    }

    /// - Returns: the placed widget, with its instance on Android; nil if the app is not installed or launched, or lacks the
    ///   kind.
    @discardableResult
    mutating func place(_ placement: Placement, on surface: Surface = .widget) -> Placement? {
        guard let app, app.firstLaunchedAt != nil, placement.kind != droppedKind || app.version != AppRelease.last,
            let placement = numbered(placement)
        else { return nil }
        self[surface].placed.append(placement)
        return placement
    }

    /// Cancels the configuration screen of a widget before it is placed.
    ///
    /// - Returns: the phantom that remains, if any.
    @discardableResult
    mutating func abandon(_ placement: Placement) -> Placement? {
        guard system.platform == .android, app?.firstLaunchedAt != nil, let placement = numbered(placement) else {
            return nil
        }
        self[.widget].phantoms.append(placement)
        return placement
    }

    /// - Returns: false if the device doesn't have the widget.
    @discardableResult
    mutating func remove(_ placement: Placement, from surface: Surface = .widget) -> Bool {
        guard self[surface].remove(placement) else { return false }
        if listsRemoved { self[surface].ghosts.append(placement) }
        return true
    }

    /// - Returns: the widget as it is now; nil if the device doesn't have it.
    @discardableResult
    mutating func configure(_ placement: Placement, to configuration: String?) -> Placement? {
        self[.widget].configure(placement, to: configuration)
    }

    /// Whether another widget can be placed. On Android each needs an id.
    var hasInstances: Bool {
        if case .only(let left) = instances { !left.isEmpty || system.platform != .android } else { true }
    }

    /// Makes an id available again.
    mutating func giveBack(_ instance: Int) {
        if case .only(let left) = instances { instances = .only([instance] + left) }
    }

    /// Gives the placement its instance; nil if Android has no id left.
    private mutating func numbered(_ placement: Placement) -> Placement? {
        guard system.platform == .android else { return placement }
        var placement = placement
        guard let next = instances.next() else { return nil }
        placement.instance = next
        return placement
    }
}
