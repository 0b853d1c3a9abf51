import CensusCore
import SeededRandom

/// The notes that wait to be sent, and the network that delays or repeats them.
struct Outbox {
    private var writer: BatchWriter
    private let offline: [Range<Timestamp>]
    private var waiting: [Note] = []
    /// Retries in the background, with the time at which they succeed.
    private var retries: [(at: Timestamp, notes: [Note])] = []
    private var generator: Seeded

    init(writer: BatchWriter, offline: [Range<Timestamp>], generator: Seeded) {
        self.writer = writer
        self.offline = offline
        self.generator = generator
    }

    /// The outcome of one attempt to send.
    private enum Fate: CaseIterable {
        case arrives
        /// It arrives, but its response is lost, so the app sends it again.
        case arrivesTwice
        /// The same, but days later, because the phone was put away.
        case arrivesOnceMore
        /// It fails, and the phone retries by itself.
        case hoursLater
        /// It waits until the app is opened again, so one batch can have events of several days.
        case waits

        var weight: Double {
            switch self {
            case .arrives: 0.855
            case .arrivesTwice: 0.03
            case .arrivesOnceMore: 0.005
            case .hoursLater: 0.05
            case .waits: 0.06
            }
        }
    }

    mutating func add(_ note: Note) { waiting.append(note) }

    mutating func empty() {
        waiting = []
        retries = []
    }

    mutating func send(at time: Timestamp, from device: SimulatedDevice) -> [Sent] {
        let fate = generator.element(of: Fate.allCases, weight: \.weight) ?? .arrives
        guard fate != .waits, !waiting.isEmpty, online(from: time) == time else { return [] }
        let notes = waiting
        waiting = []
        switch fate {
        case .arrives, .waits: break
        case .arrivesTwice: tryAgain(notes, at: time + generator.duration(.seconds(20)...(.minutes(15))))
        case .arrivesOnceMore: tryAgain(notes, at: time + generator.duration(.days(1)...(.days(4))))
        case .hoursLater:
            tryAgain(notes, at: time + generator.duration(.hours(1)...(.hours(10))))
            return []
        }
        return sent(notes, at: time, from: device)
    }

    /// Makes the retries that are due by `time`.
    ///
    /// - Parameter device: as it has been since the previous act.
    mutating func retry(until time: Timestamp, from device: SimulatedDevice) -> [Sent] {
        guard retries.contains(where: { $0.at <= time }) else { return [] }
        let due = retries.filter { $0.at <= time }
        retries.removeAll { $0.at <= time }
        return due.flatMap { sent($0.notes, at: $0.at, from: device) }
    }

    private mutating func tryAgain(_ notes: [Note], at time: Timestamp) {
        retries.append((online(from: time), notes))
    }

    /// The first time from `time` on at which the phone has a network.
    private func online(from time: Timestamp) -> Timestamp {
        offline.reduce(time) { $1.contains($0) ? $1.upperBound : $0 }
    }

    /// Makes one batch of each run of notes with the same context.
    private mutating func sent(_ notes: [Note], at time: Timestamp, from device: SimulatedDevice) -> [Sent] {
        var rest = notes[...]
        var made: [Sent] = []
        while let context = rest.first?.context {
            let batch = rest.prefix { $0.context === context }
            rest = rest.dropFirst(batch.count)
            let delivery = Delivery(
                receivedAt: time + generator.duration(.milliseconds(30)...(.milliseconds(1_500))),
                body: writer.body(of: batch, from: context, bootedAt: device.bootedAt, sentAt: time))
            made.append(Sent(delivery: delivery, notes: batch))
        }
        return made
    }
}
