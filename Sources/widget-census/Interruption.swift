internal import EmbeddedPostgres
internal import Foundation
internal import Logging
internal import Synchronization
internal import UnixSignals

/// A signal that ends the program: the work is cancelled, PostgreSQL rolls back what was under way, and our private one is stopped.
///
/// Before ``watch()`` a signal ends the process at once, as it does by default: there is nothing to clean up yet.
final class Interruption: Sendable {
    /// The process has one: signals are the process's.
    static let shared = Interruption()

    /// A closed terminal (SIGHUP) and Ctrl-\ (SIGQUIT) end the program as Ctrl-C and `kill` do.
    static let signals: [UnixSignal] =
        [.sigterm, .sigint, .sigquit] + (ProcessSetUp.outlivesTerminal ? [] : [.sighup])

    /// How long the work may take to end before the process does.
    private static let grace: Duration = .seconds(10)

    /// `timeout` and shells send a signal to the process and to its group: two within this time count as one.
    private static let echo: Duration = .seconds(1)

    private struct State {
        var work: Task<Void, any Error>?
        var isWatching = false
        var isHandedOver = false
        var first: (signal: UnixSignal, at: ContinuousClock.Instant)?
        /// Our own PostgreSQL, while it runs.
        var embedded: EmbeddedServer?
    }

    private let state = Mutex(State())

    /// Runs a command.
    ///
    /// - Throws: ``Interrupted`` when a signal ended it, else what the command throws.
    func run(_ command: sending @escaping () async throws -> Void) async throws {
        let work = Task { try await command() }
        state.withLock { $0.work = work }
        do {
            try await work.value
        } catch {
            if let interrupted = self.error { throw interrupted }
            throw error
        }
    }

    /// From here on signals are taken: the first cancels the command, a second one ends the process.
    func watch() async {
        let wasWatching = state.withLock { state in
            defer { state.isWatching = true }
            return state.isWatching
        }
        guard !wasWatching else { return }
        let signals = await UnixSignalsSequence(trapping: Interruption.signals)
        Task.detached { [self] in
            for await signal in signals { take(signal) }
        }
    }

    /// Leaves signals to the service group, which by now takes them, too, and ends the work in order: they cancel nothing here.
    func handOver() {
        state.withLock { $0.isHandedOver = true }
    }

    /// Whether a signal has cancelled the work.
    var hasCome: Bool { state.withLock { $0.first != nil } }

    /// Nil before a signal has come.
    var error: Interrupted? { state.withLock { $0.first.map { Interrupted(signal: $0.signal) } } }

    /// Names the server that must not outlive the process, even where the work does not end.
    func keep(_ embedded: EmbeddedServer?) {
        state.withLock { $0.embedded = embedded }
    }

    private func end(_ signal: UnixSignal) async {
        await state.withLock { $0.embedded.take() }?.stop()
        WidgetCensus.exit(with: Interrupted(signal: signal))
    }

    private func take(_ signal: UnixSignal) {
        let now = ContinuousClock.now
        let (isOurs, first, work) = state.withLock { state in
            defer { if !state.isHandedOver, state.first == nil { state.first = (signal, now) } }
            return (!state.isHandedOver, state.first, state.work)
        }
        guard isOurs else { return }
        if let first {
            if now - first.at > Interruption.echo { Task.detached { await self.end(signal) } }
            return
        }
        work?.cancel()
        Task.detached {
            try await Task.sleep(for: Interruption.grace)
            await self.end(signal)
        }
    }
}

/// A signal ended the command.
struct Interrupted: ExplainedError {
    var signal: UnixSignal

    var description: String {
        "ended by \(signal): what was under way was rolled back, and what was committed "
            + "before stays; run it again and it goes on from there"
    }
}
