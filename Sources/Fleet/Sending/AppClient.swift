import CensusCore
import SeededRandom

/// The app's code on one device: which events it notes, and when it sends them.
struct AppClient {
    private let differences: Differences
    private let naming: Naming
    private var outbox: Outbox
    /// The list as last read; nil if this installation has not read it yet.
    private var lastList: [Placement: Int]?
    private var lastReadFailed = false
    private var notes = 0
    private var context: Note.Context?
    private var generator: Seeded

    /// The time between a report and the differences from the same opening.
    private static let gap = Duration.milliseconds(150)

    /// - Parameter device: as it is when the plan begins. If the app is already installed, it has read its list before.
    init(
        appID: String, differences: Differences = .after, naming: Naming = .full, clockError: Duration,
        offline: [Range<Timestamp>] = [], device: SimulatedDevice, generator: Seeded
    ) {
        self.differences = differences
        self.naming = naming
        outbox = Outbox(
            writer: BatchWriter(appID: appID, clockError: clockError), offline: offline,
            generator: generator.derived(for: "outbox"))
        lastList = device.app == nil ? nil : device.listed
        self.generator = generator
    }

    /// A new id for a device or an installation.
    mutating func newID() -> String { generator.uuid().description }

    /// The app was deleted, with everything that it had not sent.
    mutating func forgetEverything() {
        outbox.empty()
        lastList = nil
    }

    /// The app's settings moved to a new phone, but not what was waiting to be sent.
    mutating func restoreFromBackup() {
        outbox.empty()
    }

    /// Reads the list of widgets, notes it, and sends all notes.
    mutating func open(on device: SimulatedDevice, at time: Timestamp) -> [Sent] {
        guard device.app != nil else { return [] }
        if readFails(on: device) {
            note(.readFailed(domain: "CHSErrorDomain", code: 1101), on: device, at: time)
        } else {
            let list = device.listed
            if differences == .before { noteDifference(to: list, on: device, at: time) }
            // Nothing can be noted before the launch.
            let reported = differences == .before ? time + AppClient.gap : time
            note(.reported(list), telling: .holds(device.held), on: device, at: reported)
            if differences == .after { noteDifference(to: list, on: device, at: time + AppClient.gap) }
            lastList = list
        }
        return outbox.send(at: time + generator.duration(.milliseconds(300)...(.seconds(4))), from: device)
    }

    /// The list has changed while the app was not open. If the system notifies of changes, the extension or provider usually
    /// gets this one.
    mutating func notice(
        _ change: Event, telling testimony: Testimony, on device: SimulatedDevice, at time: Timestamp
    ) -> [Sent] {
        let isAndroid = device.system.platform == .android
        guard device.system.tellsOfChanges, generator.chance(of: isAndroid ? 0.9 : 0.8) else { return [] }
        note(change, telling: testimony, source: isAndroid ? .provider : .extension, on: device, at: time)
        // Extensions rarely get the time to send.
        guard generator.chance(of: isAndroid ? 0.9 : 0.4) else { return [] }
        return outbox.send(at: time + generator.duration(.seconds(1)...(.seconds(20))), from: device)
    }

    /// Android's `onRestored`.
    mutating func restore(_ instances: [String: String], on device: SimulatedDevice, at time: Timestamp) -> [Sent] {
        let event = Event.restored(Dictionary(uniqueKeysWithValues: instances.map { (Text($0), $1) }))
        note(event, telling: .renamed(instances), source: .provider, on: device, at: time)
        return outbox.send(at: time + generator.duration(.seconds(1)...(.seconds(20))), from: device)
    }

    mutating func note(
        _ event: Event, telling testimony: Testimony = .nothing, source: Note.Source = .app, on device: SimulatedDevice,
        at time: Timestamp
    ) {
        context = Note.Context.current(device, before: context)
        guard let context else { return }
        notes += 1
        outbox.add(
            Note(
                number: notes, id: generator.uuid(), at: time, source: source,
                event: naming.worded(event, using: &generator),
                testimony: testimony, naming: naming, context: context))
    }

    mutating func retry(until time: Timestamp, on device: SimulatedDevice) -> [Sent] {
        outbox.retry(until: time, from: device)
    }

    /// About three reads in a hundred fail, sometimes several in a row. Android's list can always be read.
    private mutating func readFails(on device: SimulatedDevice) -> Bool {
        guard device.system.platform != .android else { return false }
        lastReadFailed = generator.chance(of: lastReadFailed ? 0.4 : 0.02)
        return lastReadFailed
    }

    /// If the system doesn't notify of changes, the app compares lists. A reinstalled app has no earlier list, so, like real
    /// apps, it takes everything that WidgetCenter lists for new, including ghosts.
    private mutating func noteDifference(to list: [Placement: Int], on device: SimulatedDevice, at time: Timestamp) {
        let before = lastList ?? [:]
        guard !device.system.tellsOfChanges, list != before else { return }
        for placement in Set(before.keys).union(list.keys).sorted() {
            let growth = (list[placement] ?? 0) - (before[placement] ?? 0)
            let event: Event = growth > 0 ? .installed(placement) : .removed(placement)
            for _ in 0..<abs(growth) { note(event, on: device, at: time) }
        }
    }
}

/// When an app sends the differences between its lists: the widgets that it believes were installed and removed since the last
/// list.
///
/// Apps do so only if the system doesn't notify of changes.
package enum Differences: String, Sendable, CaseIterable {
    case none
    /// 150 ms after the report of the same opening.
    case after
    /// 150 ms before the report of the same opening, because the app compares first.
    case before
}
