internal import ServiceLifecycle

/// Repeats some work until the service is told to stop, which also cancels the current round.
package struct ServiceLoop: Sendable {
    private let interval: Duration
    private let restsFirst: Bool

    /// - Parameters:
    ///   - interval: from the end of one round to the start of the next.
    ///   - restsFirst: whether to wait an interval before the first round.
    package init(every interval: Duration, restsFirst: Bool = false) {
        self.interval = interval
        self.restsFirst = restsFirst
    }

    package func run(_ round: @escaping @Sendable () async -> Void) async {
        try? await cancelWhenGracefulShutdown {
            if restsFirst { try await Task.sleep(for: interval) }
            while !Task.isCancelled {
                await round()
                try await Task.sleep(for: interval)
            }
        }
    }
}
