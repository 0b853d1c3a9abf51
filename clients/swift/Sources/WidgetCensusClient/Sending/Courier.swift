import Foundation

/// The connection to the service, and the id that this device uses there.
struct Destination: Sendable {
    var device: DeviceIdentity
    var transport: any Transport
    var toForget: DevicesToForget
}

/// Sends the queue to the server, one request at a time. ``Sender`` and ``Batch`` make the decisions.
actor Courier {
    struct Surroundings: Sendable {
        var now: @Sendable () -> Date = { Date() }
        /// From 0 to 1.
        var fraction: @Sendable () -> Double = { Double.random(in: 0...1) }
        /// Waits, and returns whether to continue. If nil, the courier never wakes up by itself, as in tests.
        var sleep: (@Sendable (TimeInterval) async -> Bool)? = { seconds in
            (try? await Task.sleep(for: .seconds(seconds))) != nil
        }
    }

    private let queue: EventQueue
    private let installation: InstallationIdentity
    private let consents: ConsentEnforcer
    private let destination: Destination
    private let surroundings: Surroundings
    private let tell: @Sendable (WidgetCensus.Problem) -> Void
    private let pauseFile: StateFile<Pause>
    private var sender: Sender
    private var running: Task<Void, Never>?
    private var isAlarmSet = false

    init(
        queue: EventQueue, installation: InstallationIdentity, consents: ConsentEnforcer, destination: Destination,
        surroundings: Surroundings, tell: @escaping @Sendable (WidgetCensus.Problem) -> Void
    ) {
        self.queue = queue
        self.installation = installation
        self.consents = consents
        self.destination = destination
        self.surroundings = surroundings
        self.tell = tell
        pauseFile = StateFile(folder: queue.folder, name: "state/pause.json")
        sender = Sender(pause: pauseFile.value ?? Pause())
    }

    /// Sends until the queue is empty or it must pause. After a pause it continues by itself while the process runs.
    func deliver() async { await run().value }

    /// Delivers, and cancels the request if the calling task is cancelled.
    func deliverUnlessCancelled() async {
        let run = await run()
        await withTaskCancellationHandler {
            await run.value
        } onCancel: {
            run.cancel()
        }
    }

    /// Returns the delivery under way, or a new one.
    private func run() async -> Task<Void, Never> {
        // A cancelled one ends soon, but it might not have sent everything.
        while let running, running.isCancelled { await running.value }
        if let running { return running }
        let run = Task { await sendAll() }
        running = run
        return run
    }

    /// Sends the queue, then asks the server for the gallery policy.
    func deliver(thenAsk gallery: GalleryEvidence) async {
        await deliver()
        guard let consent = try? consents.completed(), case .given(let era) = consent else { return }
        guard let device = destination.device.id(in: era) else { return }
        guard let question = gallery.question(device: device, now: surroundings.now()) else { return }
        let answer = try? await destination.transport.answer(to: question)
        // The user might have objected meanwhile.
        if (try? consents.completed()) == consent { gallery.take(answer, now: surroundings.now()) }
    }

    private func sendAll() async {
        defer { running = nil }
        // If a file can't be read or removed, stop; the next call tries again.
        while !Task.isCancelled, (try? await sendOne()) == true {}
    }

    /// - Returns: whether there might be more to send now.
    private func sendOne() async throws(FileFailure) -> Bool {
        let consent = try consents.completed()
        let names = try queue.names()
        let toForget = try destination.toForget.entries().first
        guard !names.isEmpty || toForget != nil else { return false }
        let rest = restLeft()
        guard rest <= 0 else {
            wakeUp(after: rest)
            return false
        }
        if case .given(let era) = consent, try await sendBatch(of: names, era) { return true }
        // Send the queue first, because a proxy that blocks DELETE must not hold up events.
        guard let toForget, !Task.isCancelled else { return false }
        try await forget(toForget)
        return true
    }

    /// - Returns: false if nothing can be sent now.
    private func sendBatch(of names: [EventName], _ era: String?) async throws(FileFailure) -> Bool {
        guard !names.isEmpty, let device = destination.device.id(in: era) else { return false }
        let marks = try queue.evictions()
        let oldest = try Batch.oldest(of: names, limit: sender.limit) { (name) throws(FileFailure) in
            try complete(name, era)
        }
        guard var batch = oldest else { return false }
        batch.evicted = marks.reduce(0) { $0 + $1.count }
        guard let request = batch.request(device: device, now: surroundings.now()) else { return false }
        guard let reply = await reply(to: request) else { return false }
        try settle(batch, marks, reply)
        return true
    }

    /// - Returns: nil if the delivery was cancelled, which is no failure of the service.
    private func reply(to request: Request) async -> Result<Answer, NoAnswer>? {
        do {
            return .success(try await destination.transport.answer(to: request))
        } catch {
            return Task.isCancelled ? nil : .failure(error)
        }
    }

    private func forget(_ device: DevicesToForget.Entry) async throws(FileFailure) {
        let request = Request(method: "DELETE", path: "/v1/device", headers: ["Census-Device": device.id])
        guard let reply = await reply(to: request) else { return }
        let answer = try? reply.get()
        let before = sender.pause
        let now = surroundings.now()
        defer { keepPause(ifNot: before) }
        if sender.isForgotten(device.id, by: answer, now: now, fraction: surroundings.fraction()) {
            try destination.toForget.remove(device)
        } else {
            tellOfFailure(reply)
        }
    }

    /// Adds the app's installation to an event from before the app's first run, and removes an event of another era.
    private func complete(_ name: EventName, _ era: String?) throws(FileFailure) -> QueuedEvent? {
        guard var event = try queue.event(name) else { return nil }
        guard event.era == era else {
            try queue.remove([name])
            return nil
        }
        if event.context.installation == nil {
            guard let own = installation.current(in: era) else { throw .notNow }
            event.context.installation = own.atUnknownTime
        }
        return event
    }

    private func settle(_ batch: Batch, _ marks: [EvictionMark], _ reply: Result<Answer, NoAnswer>)
        throws(FileFailure)
    {
        let answer = try? reply.get()
        let before = sender.pause
        let now = surroundings.now()
        defer { keepPause(ifNot: before) }
        let verdict = sender.judge(answer, count: batch.events.count, now: now, fraction: surroundings.fraction())
        switch verdict {
        case .delivered(let refused):
            try queue.remove(batch.names)
            try queue.remove(marks)
            tellOfRefused(refused)
            if let date = answer?.date { try queue.removeExpired(now: now, doorTime: date) }
        case .dropped(let drop):
            try queue.remove(batch.names)
            tellOfRefused(drop.refused)
            if drop.refused.count < drop.events {
                let (code, message) = (drop.explanation.code, drop.explanation.message)
                tell(.dropped(events: drop.events, status: drop.status, code: code, message: message))
            }
        case .halved:
            break
        case .kept:
            tellOfFailure(reply)
        }
    }

    private func tellOfRefused(_ events: [Refusal]) {
        for one in events { tell(.refused(event: one.id, code: one.code, message: one.message ?? "")) }
    }

    private func tellOfFailure(_ reply: Result<Answer, NoAnswer>) {
        switch reply {
        case .failure(let failure): tell(.notSent(status: nil, code: failure.code, message: failure.message))
        case .success(let answer):
            let (status, said) = (answer.status, answer.explanation)
            let isAboutKey = status == 401 || status == 403
            tell(
                isAboutKey
                    ? .keyNotAccepted(status: status, code: said.code, message: said.message)
                    : .notSent(status: status, code: said.code, message: said.message))
        }
    }

    private func restLeft() -> TimeInterval {
        let before = sender.pause
        defer { keepPause(ifNot: before) }
        return sender.rest(now: surroundings.now())
    }

    /// Stores the pause if it changed. If that fails, it applies to this process only.
    private func keepPause(ifNot before: Pause) {
        if sender.pause != before { try? pauseFile.write(sender.pause) }
    }

    private func wakeUp(after seconds: TimeInterval) {
        guard !isAlarmSet, let sleep = surroundings.sleep else { return }
        isAlarmSet = true
        Task { [weak self] in
            guard await sleep(seconds) else { return }
            await self?.alarm()
        }
    }

    private func alarm() async {
        isAlarmSet = false
        await deliver()
    }
}
