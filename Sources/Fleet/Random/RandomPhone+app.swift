import CensusCore
import SeededRandom

// What the app sends.

extension RandomPhone {
    /// Reads and reports all lists.
    mutating func open(failures: Int? = nil) {
        for surface in plan.gallery.keys.sorted() {
            if random.chance(failures ?? plan.failures) {
                life.failsToRead(now, on: surface)
            } else {
                read(surface)
            }
        }
    }

    private mutating func read(_ surface: Surface) {
        let list = device[surface].listed
        let before = lists.updateValue(list, forKey: surface)
        if plan.differences == .before {
            tellDifference(from: before, to: list, on: surface)
            wait(.milliseconds(200)...(.seconds(8)))
        }
        life.reports(surface == .control ? list.withTokens(using: &random) : list, now, on: surface)
        life.mark(device[surface].held, on: surface, now, isTold: true)
        if surface == .widget {
            news = News()
            isGrowing = random.chance(50)
        }
        if plan.differences == .after {
            wait(.milliseconds(200)...(.seconds(8)))
            tellDifference(from: before, to: list, on: surface)
        }
    }

    /// Sends the differences between two lists. Of an installation's first list, some apps take everything for new, and others
    /// nothing.
    private mutating func tellDifference(
        from before: [Placement: Int]?, to list: [Placement: Int], on surface: Surface
    ) {
        let before = before ?? (plan.takesFirstListForNew ? [:] : list)
        for widget in Set(before.keys).union(list.keys).sorted() {
            let growth = (list[widget] ?? 0) - (before[widget] ?? 0)
            for _ in 0..<abs(growth) {
                let named = plan.naming.worded(widget, using: &random)
                life.happens(growth > 0 ? .installed(named) : .removed(named), now, on: surface)
            }
        }
    }

    /// - Returns: whether the app sent the event.
    mutating func tell(_ act: WidgetAct, _ widget: Placement, on surface: Surface) -> Bool {
        guard random.chance(plan.hears) else { return false }
        life.happens(.happened(act, to: plan.naming.worded(widget, using: &random)), now, on: surface)
        return true
    }
}

extension [Placement: Int] {
    /// The list with new random tokens as instances, because tokens rotate.
    fileprivate func withTokens(using random: inout Seeded) -> [Placement: Int] {
        var list: [Placement: Int] = [:]
        for (placement, count) in sorted(by: { $0.key < $1.key }) {
            var placement = placement
            placement.instance = String(random.next() >> 32, radix: 16)
            list[placement] = count
        }
        return list
    }
}
