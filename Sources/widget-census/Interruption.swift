internal import EmbeddedPostgres
internal import Foundation
internal import Logging
internal import Synchronization
internal import UnixSignals

/// Handles signals that end the program: cancels the command, so that PostgreSQL rolls back its open transaction, and stops our
/// private PostgreSQL.
///
/// Before ``watch()``, a signal ends the process at once, as it does by default, because there is nothing to clean up yet.
final class Interruption: Sendable {
    /// One for the process, because signals are delivered to the process.
    static let shared = Interruption()

    /// A closed terminal (SIGHUP) and Ctrl-\ (SIGQUIT) end the program just as Ctrl-C and `kill` do.
    static let signals: [UnixSignal] =
        [.sigterm, .sigint, .sigquit] + (ProcessSetUp.outlivesTerminal ? [] : [.sighup])

    /// How long a cancelled command can take to finish before the process exits anyway.
    private static let grace: Duration = .seconds(10)

    /// `timeout` and shells signal both the process and its group, so two signals within this time count as one.
    private static let echo: Duration = .seconds(1)

    private struct State {
        var work: Task<Void, any Error>?
        var isWatching = false
        var isHandedOver = false
        var first: (signal: UnixSignal, at: ContinuousClock.Instant)?
        /// Our private PostgreSQL, while it runs.
        var embedded: EmbeddedServer?
    }

    private let state = Mutex(State())

    /// Runs a command.
    ///
    /// - Throws: ``Interrupted`` if a signal ended the command, otherwise the command's own error.
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

    /// Starts handling signals: the first one cancels the command, a second one ends the process.
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

    /// Stops cancelling on signals, because the service group now handles them with a graceful shutdown.
    func handOver() {
        state.withLock { $0.isHandedOver = true }
    }

    /// Whether a signal has cancelled the work.
    var hasCome: Bool { state.withLock { $0.first != nil } }

    /// Nil until a signal arrives.
    var error: Interrupted? { state.withLock { $0.first.map { Interrupted(signal: $0.signal) } } }

    /// Registers the server to stop before the process exits, even if the command doesn't finish.
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
        "ended by \(signal): committed changes, if any, are kept, uncommitted ones were rolled back, "
            + "and you can run the command again"
    }
}
