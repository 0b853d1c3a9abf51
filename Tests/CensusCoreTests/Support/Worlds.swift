@testable import CensusCore

/// All that may be true of one kind on a WidgetKit device, given what was observed: an oracle that knows no rule.
///
/// The platform: the list is what is there and the ghosts; deleting the app leaves any of what was listed as ghosts;
/// a boot ends them. The user: between two reports adds or removes, never both, and configures at will.
struct Worlds {
    struct World: Hashable {
        /// Placements on the screen, by configuration.
        var real = [0, 0]
        var ghosts = [0, 0]
        var isGrowing = true

        var count: Int { real[0] + real[1] }
        var list: [Placement: Int] {
            var list: [Placement: Int] = [:]
            for (index, placement) in Worlds.placements.enumerated() where real[index] + ghosts[index] > 0 {
                list[placement] = real[index] + ghosts[index]
            }
            return list
        }
    }

    static let placements: [Placement] = [.weather("a"), .weather("b")]
    static let most = 2

    private(set) var possible: Set<World>
    /// Where no boot is ever told, one may have come at any time.
    var bootsUnseen = false

    init(mayHaveGhosts: Bool) {
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

    /// The user does as he likes.
    mutating func pass() {
        var open = Array(possible)
        while let world = open.popLast() {
            for next in moves(world) where possible.insert(next).inserted { open.append(next) }
        }
    }

    func moves(_ world: World) -> [World] {
        var moves: [World] = []
        for index in 0...1 {
            if let next = changed(world, index) { moves.append(next) }
            guard world.real[index] > 0 else { continue }
            var next = world
            next.real[index] -= 1
            next.real[1 - index] += 1
            moves.append(next)
        }
        if bootsUnseen { moves.append(World(real: world.real, isGrowing: world.isGrowing)) }
        return moves
    }

    /// With one more or one less; nil where the user does not do that.
    func changed(_ world: World, _ index: Int) -> World? {
        var next = world
        next.real[index] += world.isGrowing ? 1 : -1
        return next.real[index] >= 0 && next.count <= Worlds.most + 1 ? next : nil
    }

    /// The app tells of one that was added or removed.
    mutating func change(_ index: Int, isAdded: Bool) {
        possible = Set(possible.compactMap { $0.isGrowing == isAdded ? changed($0, index) : nil })
    }

    mutating func boot() {
        possible = Set(possible.map { World(real: $0.real, isGrowing: $0.isGrowing) })
    }

    mutating func reinstall() {
        possible = Set(possible.flatMap(Worlds.afterReinstallation))
    }

    static func afterReinstallation(_ world: World) -> [World] {
        (0...(world.real[0] + world.ghosts[0])).flatMap { a in
            (0...(world.real[1] + world.ghosts[1])).flatMap { b in
                [true, false].map { World(ghosts: [a, b], isGrowing: $0) }
            }
        }
    }

    mutating func report(_ list: [Placement: Int]) {
        possible = Set(
            possible.filter { $0.list == list }
                .flatMap { world in [true, false].map { World(real: world.real, ghosts: world.ghosts, isGrowing: $0) } }
        )
    }

    mutating func open(_ index: Int) { possible = possible.filter { $0.real[index] > 0 } }

    var least: Int { possible.map(\.count).min() ?? 0 }
    var most: Int { possible.map(\.count).max() ?? 0 }
}
