import CensusCore

/// What waits to be sent, and what the network does to it.
struct Outbox {
    private let writer: BatchWriter
    private var waiting: [Note] = []
    /// Attempts in the background, by when they succeed.
    private var retries: [(at: Timestamp, notes: [Note])] = []
    private var generator: SeededGenerator

    init(writer: BatchWriter, generator: SeededGenerator) {
        self.writer = writer
        self.generator = generator
    }

    /// What becomes of one attempt to send.
    private enum Fate: CaseIterable {
        case arrives
        /// It arrives and its answer does not: the app sends again.
        case arrivesTwice
        /// The phone tries again by itself.
        case hoursLater
        /// It waits until the app is opened again: several days may come in one batch.
        case waits

        var weight: Double {
            switch self {
            case .arrives: 0.86
            case .arrivesTwice: 0.03
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

    mutating func send(at time: Timestamp) -> [Delivery] {
        let notes = waiting
        switch generator.element(of: Fate.allCases, weight: \.weight) ?? .arrives {
        case .arrives:
            waiting = []
            return deliveries(of: notes, sentAt: time)
        case .arrivesTwice:
            waiting = []
            retries.append((time + generator.duration(.seconds(20)...(.minutes(15))), notes))
            return deliveries(of: notes, sentAt: time)
        case .hoursLater:
            waiting = []
            retries.append((time + generator.duration(.hours(1)...(.hours(10))), notes))
            return []
        case .waits:
            return []
        }
    }

    /// Makes the background attempts that are due by `time`.
    mutating func retry(until time: Timestamp) -> [Delivery] {
        let due = retries.filter { $0.at <= time }
        retries.removeAll { $0.at <= time }
        return due.flatMap { deliveries(of: $0.notes, sentAt: $0.at) }
    }

    /// A batch for every run of notes with one context.
    private mutating func deliveries(of notes: [Note], sentAt: Timestamp) -> [Delivery] {
        var rest = notes[...]
        var made: [Delivery] = []
        while let context = rest.first?.context {
            let batch = rest.prefix { $0.context == context }
            rest = rest.dropFirst(batch.count)
            made.append(
                Delivery(
                    receivedAt: sentAt + generator.duration(.milliseconds(30)...(.milliseconds(1_500))),
                    body: writer.body(of: batch, from: context, sentAt: sentAt)))
        }
        return made
    }
}
