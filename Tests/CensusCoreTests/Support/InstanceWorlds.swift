@testable import CensusCore

/// All that may be true of one kind on an Android device, given what was observed: an oracle that knows no rule.
///
/// The platform: the list is what is on a screen and the phantoms, which come and go; an id is given once. The user: between two
/// reports adds or removes, never both.
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
    /// The instances of which nothing was heard yet.
    private var unheard = Set(InstanceWorlds.instances)

    /// The phantoms come and go, and the user does as he likes.
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

    /// With one more or one less; nil where the user does not do that.
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

    /// The app tells of one that was added or removed, or of any: then of no instance.
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

    /// How many there may be.
    var count: ClosedRange<Int> { range(\.real.count) }
    /// Whether one may be there, and must be.
    func count(of instance: Int) -> ClosedRange<Int> { range { $0.real.contains(instance) ? 1 : 0 } }

    private func range(_ count: (World) -> Int) -> ClosedRange<Int> {
        let counts = possible.map(count)
        return (counts.min() ?? 0)...(counts.max() ?? 0)
    }
}
