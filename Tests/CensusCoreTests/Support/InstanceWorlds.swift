@testable import CensusCore

/// Every possible truth about one kind on an Android device, given the observations: an oracle that knows no rule.
///
/// The platform lists the widgets on a screen and the phantoms, which come and go. It assigns an id only once. Between two
/// reports, the user either adds or removes, never both.
struct InstanceWorlds {
    struct World: Hashable {
        /// Instances on the screen.
        var real: Set<Int> = []
        var phantoms: Set<Int> = []
        var isGrowing = true

        var list: Set<Int> { real.union(phantoms) }
    }

    static let instances = 1...4

    private(set) var possible: Set<World> = [World(), World(isGrowing: false)]
    /// The instances that no observation has named yet.
    private var unheard = Set(InstanceWorlds.instances)

    /// Adds all worlds that phantoms can lead to, and the user's moves if `userMoves`.
    mutating func pass(userMoves: Bool) {
        var open = Array(possible)
        while let world = open.popLast() {
            for next in moves(world, userMoves: userMoves) where possible.insert(next).inserted { open.append(next) }
        }
    }

    private func moves(_ world: World, userMoves: Bool) -> [World] {
        var moves: [World] = []
        for instance in unheard.sorted() where !world.list.contains(instance) {
            var next = world
            next.phantoms.insert(instance)
            moves.append(next)
        }
        for instance in world.phantoms.sorted() {
            var next = world
            next.phantoms.remove(instance)
            moves.append(next)
        }
        guard userMoves else { return moves }
        return moves + InstanceWorlds.instances.compactMap { changed(world, $0) }
    }

    /// The world with one widget more or less; nil if the user doesn't make this move.
    private func changed(_ world: World, _ instance: Int) -> World? {
        var next = world
        if world.isGrowing {
            guard unheard.contains(instance), !world.list.contains(instance) else { return nil }
            next.real.insert(instance)
        } else {
            guard next.real.remove(instance) != nil else { return nil }
        }
        return next
    }

    /// The app reports that this instance was added or removed; nil: any instance.
    private mutating func change(_ instance: Int?, isAdded: Bool) {
        let meant = instance.map { [$0] } ?? Array(InstanceWorlds.instances)
        possible = Set(
            possible.flatMap { world in
                meant.compactMap { world.isGrowing == isAdded ? changed(world, $0) : nil }
            })
        if let instance { unheard.remove(instance) }
    }

    private mutating func open(_ instance: Int?) {
        possible = possible.filter { world in instance.map { world.real.contains($0) } ?? !world.real.isEmpty }
        if let instance { unheard.remove(instance) }
    }

    private mutating func report(_ list: Set<Int>) {
        possible = Set(
            possible.filter { $0.list == list }.flatMap { world in
                [true, false].map { World(real: world.real, phantoms: world.phantoms, isGrowing: $0) }
            })
        unheard.subtract(list)
    }

    mutating func hear(_ observation: Observation) {
        switch observation.event {
        case .reported(let list): report(Set(list.keys.compactMap(InstanceWorlds.instance(of:))))
        case .happened(.installed, to: let widget): change(InstanceWorlds.instance(of: widget), isAdded: true)
        case .happened(.removed, to: let widget): change(InstanceWorlds.instance(of: widget), isAdded: false)
        case .happened(_, to: let widget): open(InstanceWorlds.instance(of: widget))
        case .readFailed, .restored, .appOpened: break
        }
    }

    static func instance(of widget: Placement) -> Int? { widget.instance.flatMap { Int($0) } }

    /// How many widgets there may be.
    var count: ClosedRange<Int> { range(\.real.count) }
    /// At least 1 if the instance must be there, and at most 1 if it may be.
    func count(of instance: Int) -> ClosedRange<Int> { range { $0.real.contains(instance) ? 1 : 0 } }

    private func range(_ count: (World) -> Int) -> ClosedRange<Int> {
        let counts = possible.map(count)
        return (counts.min() ?? 0)...(counts.max() ?? 0)
    }
}
