@testable import CensusCore

/// What a device reported of each kind, counted without any rule. Its bounds can rest on nothing else.
struct Evidence {
    struct Place: Hashable {
        var surface: Surface
        var kind: String
    }

    /// Every claim, installation event and use since the installation began.
    var everTold: [Place: Int] = [:]
    private var lastClaim: [Place: Int] = [:]
    private var installed: [Place: Int] = [:]
    /// Models, or on Android, instances.
    private var used: [Place: Set<Placement>] = [:]
    /// Uses before a silence so long that nothing stayed certain: a use after it may be of another widget.
    private var usedEarlier: [Place: Int] = [:]
    private var lastProofAt: [Surface: Timestamp] = [:]
    let window: ActivityWindow

    init(window: ActivityWindow) { self.window = window }

    /// The last claim, the installations since, and one for each model used since.
    func lately(_ place: Place) -> Int {
        lastClaim[place, default: 0] + installed[place, default: 0] + (used[place]?.count ?? 0)
            + usedEarlier[place, default: 0]
    }

    /// Adds the observations of one instant. The events may have followed the lists, and any list may be the last.
    mutating func add(_ instant: [Observation]) {
        let isList = { (observation: Observation) in observation.event.type == .widgetsReported }
        var longest: [Place: Int] = [:]
        for list in instant.filter(isList) {
            add(list)
            longest.merge(lastClaim, uniquingKeysWith: +)
        }
        lastClaim.merge(longest, uniquingKeysWith: max)
        for event in instant where !isList(event) { add(event) }
    }

    private mutating func add(_ observation: Observation) {
        let surface = observation.surface
        if let last = lastProofAt[surface], window.end(lastHeard: last) <= observation.at {
            for (place, models) in used where place.surface == surface {
                usedEarlier[place, default: 0] += models.count
                used[place] = nil
            }
        }
        switch observation.event {
        case .readFailed, .appOpened: break
        case .reported, .happened, .restored: lastProofAt[surface] = observation.at
        }
        switch observation.event {
        case .reported(let claimed):
            for place in Set(lastClaim.keys).union(installed.keys).union(used.keys).union(usedEarlier.keys)
            where place.surface == surface {
                (lastClaim[place], installed[place], used[place], usedEarlier[place]) = (nil, nil, nil, nil)
            }
            for (placement, count) in claimed {
                let place = Place(surface: surface, kind: placement.kind.bytes)
                lastClaim[place, default: 0] += count
                everTold[place, default: 0] += count
            }
        case .happened(.installed, to: let placement):
            let place = Place(surface: surface, kind: placement.kind.bytes)
            installed[place, default: 0] += 1
            everTold[place, default: 0] += 1
        case .readFailed, .appOpened, .happened(.removed, to: _), .restored: break
        case .happened(_, to: let placement):
            let place = Place(surface: surface, kind: placement.kind.bytes)
            used[place, default: []].insert(
                Placement(kind: placement.kind, family: placement.family, instance: placement.instance))
            everTold[place, default: 0] += 1
        }
    }
}

extension RandomHistory {
    /// Folds step by step, and shows the state and the installation's evidence after every step.
    func replay(_ show: (DeviceState, Evidence) -> Void) {
        var state = DeviceState()
        var evidence = Evidence(window: window)
        for instant in observations.filter({ $0.circumstances.channel == "production" }).sorted().byInstant {
            let before = state.installation?.id
            state = fold(instant, onto: state)
            if state.installation?.id != before { evidence = Evidence(window: window) }
            let own = instant.filter { $0.installation == state.installation?.id }
            evidence.add(own)
            show(state, evidence)
        }
    }
}

extension DeviceState {
    /// Sums over the placements of each kind.
    func counts(_ bound: (Level) -> Int) -> [Evidence.Place: Int] {
        var counts: [Evidence.Place: Int] = [:]
        for (surface, state) in surfaces {
            for (placement, level) in state.holdings {
                counts[.init(surface: surface, kind: placement.kind.bytes), default: 0] += bound(level)
            }
        }
        return counts
    }
}

extension String {
    /// Two spellings of one letter are two kinds.
    fileprivate var bytes: String { utf8.map { String($0, radix: 16) }.joined(separator: " ") }
}
