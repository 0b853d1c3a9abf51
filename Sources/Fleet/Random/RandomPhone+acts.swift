import CensusCore
import SeededRandom

extension RandomPhone {
    func isPossible(_ act: Act) -> Bool {
        switch act {
        case .place: !surfacesWithRoom.isEmpty && (isGrowing || !plan.isSteady) && device.hasInstances
        case .remove: !removable.isEmpty && (!isGrowing || !plan.isSteady)
        case .configure: !plan.configurations.isEmpty && device.placed.contains { $0.intent != nil }
        case .tap: !device.placed.isEmpty
        case .cancel: isAndroid && device.hasInstances
        case .forgetPhantom: !device.phantoms.isEmpty
        case .restoreLayout: !(device.placed + device.phantoms).isEmpty
        case .render: !isAndroid || !(device.placed + device.phantoms).isEmpty
        case .updateSystem: device.system.successor != nil
        case .useToday: !plan.todayKinds.isEmpty
        case .open, .failToRead, .restart, .updateApp, .reinstall, .changePhone: true
        }
    }

    /// - Parameter isTold: whether the app can send an event about it.
    mutating func perform(_ act: Act, isTold: Bool) {
        switch act {
        case .place: place(isTold: isTold)
        case .remove: remove(isTold: isTold)
        case .configure: configure(isTold: isTold)
        case .tap: tap()
        case .open: open()
        case .failToRead: life.failsToRead(now)
        case .render: render()
        case .restart: restart(waits: isTold)
        case .updateApp: updateApp()
        case .updateSystem: updateSystem()
        case .reinstall: reinstall()
        case .changePhone: changePhone()
        case .cancel: device.abandon(random.pick(plan.gallery[.widget] ?? []))
        case .forgetPhantom: giveBack(device[.widget].phantoms.remove(at: random.below(device.phantoms.count)))
        case .restoreLayout: restore(device.renumber())
        case .useToday: useToday()
        }
    }

    var isAndroid: Bool { device.system.platform == .android }

    private var surfaces: [Surface] { plan.gallery.keys.sorted() }

    private var surfacesWithRoom: [Surface] { surfaces.filter { device[$0].placed.count < plan.most } }

    private var removable: [(surface: Surface, widget: Placement)] {
        surfaces.flatMap { surface in
            device[surface].placed.filter(mayLeave).map { (surface, $0) }
        }
    }

    private func mayLeave(_ widget: Placement) -> Bool {
        !plan.sparesNews || !news.placed.contains(widget.kind) || !news.used.contains(widget.kind)
    }

    mutating func wait(_ range: ClosedRange<Duration>) { now = now + random.duration(range) }

    /// - Parameter kind: the kind that has changed; nil for all.
    private mutating func changed(_ surface: Surface, _ kind: String?, isTold: Bool = false) {
        life.mark(device[surface].held, on: surface, now, kind: kind, isTold: isTold)
    }

    // What people do.

    private mutating func place(isTold: Bool) {
        let surface = random.pick(surfacesWithRoom)
        let chosen = random.pick(plan.gallery[surface] ?? [])
        for _ in 0..<random.pick(plan.copies) {
            guard let widget = device.place(chosen, on: surface) else { return }
            news.placed.insert(widget.kind)
            changed(surface, widget.kind, isTold: isTold && tell(.installed, widget, on: surface))
        }
    }

    private mutating func remove(isTold: Bool) {
        let (surface, widget) = random.pick(removable)
        device.remove(widget, from: surface)
        changed(surface, widget.kind, isTold: isTold && tell(.removed, widget, on: surface))
        giveBack(widget)
    }

    /// Makes an id available again if the app never sent it, because nobody can tell it from another one then.
    private mutating func giveBack(_ widget: Placement) {
        guard plan.instances != nil, let instance = widget.instance,
            !life.observations.contains(where: { $0.event.placements.contains { $0.instance == instance } })
        else { return }
        Int(instance).map { device.giveBack($0) }
    }

    private mutating func configure(isTold: Bool) {
        let widget = random.pick(device.placed.filter { $0.intent != nil })
        guard let configured = device.configure(widget, to: random.pick(plan.configurations)) else { return }
        changed(.widget, widget.kind, isTold: isTold && tell(.configured, configured, on: .widget))
    }

    private mutating func tap() {
        if random.chance(plan.tapsOfNew), isPossible(.place) {
            place(isTold: true)
            wait(.seconds(1)...(.seconds(90)))
        }
        let widget = random.pick(device.placed)
        let use: WidgetAct = isAndroid ? random.pick([.opened, .opened, .configured]) : .opened
        life.happens(.happened(use, to: plan.naming.worded(widget, using: &random)), now)
        news.used.insert(widget.kind)
        guard random.chance(plan.opensByTaps) else { return }
        wait(.milliseconds(100)...(.seconds(5)))
        open()
    }

    /// On WidgetKit these are galleries and speculative reloads, which prove nothing.
    private mutating func render() {
        let choices = isAndroid ? device.placed + device.phantoms : plan.gallery[.widget] ?? []
        life.renders(random.pick(choices), now)
    }

    private mutating func restart(waits: Bool = true) {
        device.restart(at: now)
        life.boots(now)
        life.boots.append(now)
        if waits { wait(.minutes(3)...(.minutes(30))) }
    }

    private mutating func updateApp() {
        let version = life.circumstances.appVersion.split(separator: ".").compactMap { Int($0) }
        life.upgrades(to: "\(version[0]).\(version[1] + 1).0")
        device.updateApp(to: life.circumstances.appVersion)
        if plan.dropped > 0 { life.circumstances.galleryPolicy = random.pick([nil, 1, 2]) }
        guard random.chance(plan.dropped), let kind = plan.gallery[.widget].map({ random.pick($0).kind }),
            device.placed.contains(where: { $0.kind == kind && mayLeave($0) })
        else { return }
        device.lose(kind)
        changed(.widget, kind)
    }

    private mutating func updateSystem() {
        guard let system = device.system.successor else { return }
        device.update(to: system, at: now)
        life.circumstances.osVersion = system.description
        life.circumstances.osBuild = nil
        restart()
    }

    private mutating func useToday() {
        if let kind = device[.today].placed.last?.kind, random.chance(20) {
            device.remove(Placement(kind: kind), from: .today)
            return changed(.today, kind)
        }
        let widget = Placement(kind: random.pick(plan.todayKinds))
        if !device[.today].placed.contains(widget) { device.place(widget, on: .today) }
        life.happens(.happened(random.pick([.rendered, .opened]), to: widget), now, on: .today)
        // For this kind, the event says as much as a list would.
        changed(.today, widget.kind, isTold: true)
    }

    // Installations.

    mutating func begin(launched: Timestamp) {
        device.launchApp(at: launched)
        lists = [:]
        isGrowing = random.chance(50)
        life.circumstances.firstLaunchedAt = saysFirstLaunch ? launched : nil
        life.circumstances.rebooted = plan.bootWords?.sayWhether == true ? device.bootedAt > launched : nil
        life.circumstances.bootedAt = plan.bootWords?.sayWhen == true ? device.bootedAt : nil
        if life.boots.isEmpty { life.boots = [device.bootedAt] }
    }

    private mutating func deleteApp() {
        let (placed, phantoms) = (device.placed, device.phantoms)
        var random = random
        let share = plan.reinstallation.ghosts
        device.deleteApp { _ in random.chance(share) }
        // On Android the launcher keeps the ids.
        if plan.reinstallation.phantoms > 0 {
            device[.widget].phantoms = phantoms + (random.chance(plan.reinstallation.phantoms) ? placed : [])
        }
        self.random = random
        leaveScreens()
    }

    /// Nothing of this device id is on a screen any more.
    private mutating func leaveScreens() {
        for surface in surfaces + [.today] { life.mark([:], on: surface, now) }
    }

    private mutating func reinstall() {
        // Without earlier observations the device is unknown, and a late first list would be believed (R5).
        if life.observations.isEmpty { open() }
        deleteApp()
        wait(plan.reinstallation.away)
        if random.chance(plan.reinstallation.restarts) { restart() }
        life.reinstalls(now)
        device.installApp(life.circumstances.appVersion, id: "\(life.installation)")
        begin(launched: now)
        guard random.chance(plan.reinstallation.opens) else { return }
        wait(plan.reinstallation.opensAfter)
        open(failures: plan.reinstallation.failures)
    }

    /// The device id is lost: either the phone is replaced from its backup, or the keychain is reset, which can leave ghosts.
    private mutating func changePhone() {
        let isRestored = isAndroid || random.chance(50)
        if isRestored { leaveScreens() } else { deleteApp() }
        if isRestored { wait(.minutes(5)...(.days(2))) }
        beginLife(on: isRestored ? [now] : life.boots)
        var renamed: [String: String] = [:]
        if isRestored {
            device[.widget].phantoms = []
            renamed = device.moveToNewPhone(
                id: life.id, system: device.system, appVersion: life.circumstances.appVersion, installation: life.id,
                at: now)
            life.circumstances.osBuild = nil
        } else {
            device.loseID(to: life.id)
            device.installApp(life.circumstances.appVersion, id: life.id)
        }
        begin(launched: now)
        guard isAndroid else {
            // The late first list of an unknown device is believed (R5, a known limit), so this one reads its list at once.
            wait(.seconds(1)...(.minutes(5)))
            return open(failures: 0)
        }
        loseSome()
        restore(renamed)
    }

    private mutating func beginLife(on boots: [Timestamp]) {
        earlierLives.append(life)
        saysFirstLaunch = true
        var next = Life("\(earlierLives[0].id)-\(earlierLives.count)", life.circumstances, bootWords: plan.bootWords)
        next.installation = life.installation + 1
        next.boots = boots
        life = next
    }

    /// Moves some of the widgets from the backup off the screens, as phantoms.
    private mutating func loseSome() {
        let placed = device.placed.map { (widget: $0, isLost: random.chance(30)) }
        device[.widget].placed = placed.filter { !$0.isLost }.map(\.widget)
        device[.widget].phantoms = placed.filter(\.isLost).map(\.widget)
        // For this phone's first list, the restored widgets are new, as if its owner had placed them.
        news = News(placed: Set(device.placed.map(\.kind)))
    }

    private mutating func restore(_ renamed: [String: String]) {
        guard !renamed.isEmpty else { return }
        life.restores(Dictionary(uniqueKeysWithValues: renamed.map { (Text($0), $1) }), now)
    }
}
