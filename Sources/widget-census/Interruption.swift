internal import Foundation
internal import Logging
internal import Synchronization
internal import UnixSignals

/// SIGINT or SIGTERM: the work is cancelled, PostgreSQL rolls back what was under way, and our private one is stopped.
///
/// Before ``watch()`` a signal ends the process at once, as it does by default: there is nothing to clean up yet.
final class Interruption: Sendable {
    /// The process has one: signals are the process's.
    static let shared = Interruption()

    /// How long the work may take to end before the process does.
    private static let grace: Duration = .seconds(10)

    /// `timeout` and shells send a signal to the process and to its group: two within this time count as one.
    private static let echo: Duration = .seconds(1)

    private struct State {
        var work: Task<Void, any Error>?
        var isWatching = false
        var isHandedOver = false
        var first: (signal: UnixSignal, at: ContinuousClock.Instant)?
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
            guard let signal = state.withLock({ $0.first?.signal }) else { throw error }
            throw Interrupted(signal: signal)
        }
    }

    /// From here on signals are taken: the first cancels the command, a second one ends the process.
    func watch() async {
        let wasWatching = state.withLock { state in
            defer { state.isWatching = true }
            return state.isWatching
        }
        guard !wasWatching else { return }
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
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

    private func take(_ signal: UnixSignal) {
        let now = ContinuousClock.now
        let (isOurs, first, work) = state.withLock { state in
            defer { if !state.isHandedOver, state.first == nil { state.first = (signal, now) } }
            return (!state.isHandedOver, state.first, state.work)
        }
        guard isOurs else { return }
        if let first {
            if now - first.at > Interruption.echo { WidgetCensus.exit(with: Interrupted(signal: signal)) }
            return
        }
        work?.cancel()
        Task.detached {
            try await Task.sleep(for: Interruption.grace)
            WidgetCensus.exit(with: Interrupted(signal: signal))
        }
    }
}

/// A signal ended the command.
struct Interrupted: ExplainedError {
    var signal: UnixSignal

    var description: String {
        "ended by \(signal == .sigint ? "SIGINT" : "SIGTERM"): what was under way was rolled back, and what was committed "
            + "before stays; run it again and it goes on from there"
    }
}
