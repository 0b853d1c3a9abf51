@testable import CensusCore

/// Every possible truth about one kind on a WidgetKit device, given the observations: an oracle that knows no rule.
///
/// The platform lists real widgets and ghosts. Deleting the app can leave any of the listed widgets as ghosts, and a boot ends
/// ghosts. Between two reports, the user either adds or removes, never both, and configures at will.
struct Worlds {
    struct World: Hashable {
        /// Placements on the screen, by their index in ``Worlds/placements``.
        var real = [0, 0]
        var ghosts = [0, 0]
        var isGrowing = true

        var count: Int { real[0] + real[1] }
    }

    /// Two configurations of one family, or two families.
    let placements: [Placement]
    var areFamilies: Bool { placements[0].family != placements[1].family }
    static let configurations: [Placement] = [.weather("a"), .weather("b")]
    static let families: [Placement] = [.weather, Placement(kind: "weather", family: "systemLarge")]
    static let most = 2

    private(set) var possible: Set<World>
    /// Whether boots are never reported, so that one may have happened at any time.
    var bootsUnseen = false
    /// The last observation.
    private var last: Observation?

    init(of placements: [Placement] = configurations, mayHaveGhosts: Bool) {
        self.placements = placements
        possible = [World(), World(isGrowing: false)]
        guard mayHaveGhosts else { return }
        let counts = 0...Worlds.most
        possible = Set(
            counts.flatMap { a in
                counts.flatMap { b in
                    [true, false].map { World(ghosts: [a, b], isGrowing: $0) }
                }
            })
    }

    /// Adds all worlds that the user's moves can lead to.
    mutating func pass() {
        var open = Array(possible)
        while let world = open.popLast() {
            for next in moves(world) where possible.insert(next).inserted { open.append(next) }
        }
    }

    private func moves(_ world: World) -> [World] {
        var moves: [World] = []
        for index in 0...1 {
            if let next = changed(world, index) { moves.append(next) }
            guard !areFamilies, world.real[index] > 0 else { continue }
            var next = world
            next.real[index] -= 1
            next.real[1 - index] += 1
            moves.append(next)
        }
        if bootsUnseen { moves.append(World(real: world.real, isGrowing: world.isGrowing)) }
        return moves
    }

    /// The world with one widget more or less; nil if the user doesn't make this move.
    private func changed(_ world: World, _ index: Int) -> World? {
        var next = world
        next.real[index] += world.isGrowing ? 1 : -1
        return next.real[index] >= 0 && next.count <= Worlds.most + 1 ? next : nil
    }

    /// The app reports that one of these was added or removed.
    private mutating func change(_ indices: [Int], isAdded: Bool) {
        possible = Set(
            possible.flatMap { world in
                indices.compactMap { world.isGrowing == isAdded ? changed(world, $0) : nil }
            })
    }

    /// An unreported boot may end ghosts at any time.
    mutating func forgetGhosts() {
        possible.formUnion(possible.map { World(real: $0.real, isGrowing: $0.isGrowing) })
    }

    private mutating func boot() {
        possible = Set(possible.map { World(real: $0.real, isGrowing: $0.isGrowing) })
    }

    private mutating func reinstall() {
        possible = Set(possible.flatMap(Worlds.afterReinstallation))
    }

    private static func afterReinstallation(_ world: World) -> [World] {
        (0...(world.real[0] + world.ghosts[0])).flatMap { a in
            (0...(world.real[1] + world.ghosts[1])).flatMap { b in
                [true, false].map { World(ghosts: [a, b], isGrowing: $0) }
            }
        }
    }

    private mutating func report(_ list: [Placement: Int]) {
        possible = Set(
            possible.filter { self.list(of: $0) == list }
                .flatMap { world in [true, false].map { World(real: world.real, ghosts: world.ghosts, isGrowing: $0) } }
        )
    }

    /// One of these is used.
    private mutating func open(_ indices: [Int]) {
        possible = possible.filter { world in indices.contains { world.real[$0] > 0 } }
    }

    /// Takes what an app reports, including what it says about itself and its phone.
    mutating func hear(_ observation: Observation) {
        let before = last
        last = observation
        if let before, before.installation != observation.installation {
            reinstall()
        } else if let before,
            before.circumstances.bootedAt != observation.circumstances.bootedAt
                || before.circumstances.rebooted != observation.circumstances.rebooted
        {
            boot()
        }
        switch observation.event {
        case .reported(let list): report(list)
        case .happened(.installed, to: let widget): change(meant(by: widget), isAdded: true)
        case .happened(.removed, to: let widget): change(meant(by: widget), isAdded: false)
        case .happened(_, to: let widget): open(meant(by: widget))
        case .readFailed, .restored, .appOpened: break
        }
    }

    /// Without a family, the widget may be any of them.
    private func meant(by widget: Placement) -> [Int] {
        placements.indices.filter { widget.family == nil || placements[$0] == widget }
    }

    /// The list that the OS returns.
    private func list(of world: World) -> [Placement: Int] {
        var list: [Placement: Int] = [:]
        for (index, placement) in placements.enumerated() where world.real[index] + world.ghosts[index] > 0 {
            list[placement] = world.real[index] + world.ghosts[index]
        }
        return list
    }

    /// How many widgets of the kind there may be.
    var ofKind: ClosedRange<Int> { range(\.count) }
    /// How many widgets of one placement there may be.
    func count(of index: Int) -> ClosedRange<Int> { range { $0.real[index] } }

    private func range(_ count: (World) -> Int) -> ClosedRange<Int> {
        let counts = possible.map(count)
        return (counts.min() ?? 0)...(counts.max() ?? 0)
    }
}
