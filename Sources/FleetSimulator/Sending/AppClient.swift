import CensusCore

/// The app's own code on one device: what it writes down, and when it sends.
struct AppClient {
    private var outbox: Outbox
    /// As the last read gave it; nil in an installation that has read none.
    private var lastList: [Placement: Int]?
    private var generator: SeededGenerator

    /// - Parameter device: as the plan begins; an app that is installed there has run before and knows its list.
    init(appID: String, clockError: Duration, device: SimulatedDevice, generator: SeededGenerator) {
        outbox = Outbox(
            writer: BatchWriter(appID: appID, clockError: clockError), generator: generator.derived(for: "outbox"))
        lastList = device.app == nil ? nil : device.listed
        self.generator = generator
    }

    mutating func newInstallationID() -> String { generator.uuid() }

    /// The app was deleted, and what it had not sent with it.
    mutating func forgetEverything() {
        outbox.empty()
        lastList = nil
    }

    /// Reads the list of widgets, writes down what it says, and sends all there is.
    mutating func open(on device: SimulatedDevice, at time: Timestamp) -> [Delivery] {
        guard device.app != nil else { return [] }
        if generator.chance(0.03) {
            note(.readFailed(domain: "CHSErrorDomain", code: 1101), on: device, at: time)
        } else {
            note(.reported(device.listed), on: device, at: time)
            noteDifference(to: device.listed, on: device, at: time + .milliseconds(150))
            lastList = device.listed
        }
        return outbox.send(at: time + generator.duration(.milliseconds(300)...(.seconds(4))))
    }

    /// The list changed while the app was not open: the extension hears of it where the system tells, mostly.
    mutating func notice(_ change: Event, on device: SimulatedDevice, at time: Timestamp) {
        guard device.system.tellsOfChanges, generator.chance(0.8) else { return }
        note(change, source: "extension", on: device, at: time)
    }

    mutating func note(_ event: Event, source: String = "app", on device: SimulatedDevice, at time: Timestamp) {
        guard let context = Note.Context(device) else { return }
        outbox.add(Note(id: generator.uuid(), at: time, source: source, event: event, context: context))
    }

    mutating func retry(until time: Timestamp) -> [Delivery] { outbox.retry(until: time) }

    /// Where the system does not tell of changes the app compares lists. A reinstalled app knows no last list: it takes
    /// all that WidgetCenter names for new, ghosts too, as real apps do.
    private mutating func noteDifference(to list: [Placement: Int], on device: SimulatedDevice, at time: Timestamp) {
        guard !device.system.tellsOfChanges else { return }
        let before = lastList ?? [:]
        for placement in Set(before.keys).union(list.keys).sorted() {
            let growth = (list[placement] ?? 0) - (before[placement] ?? 0)
            let event: Event = growth > 0 ? .installed(placement) : .removed(placement)
            for _ in 0..<abs(growth) { note(event, on: device, at: time) }
        }
    }
}
