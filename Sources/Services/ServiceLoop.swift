internal import ServiceLifecycle

/// Repeats a piece of work until the service is told to stop, which also cancels what is under way.
package struct ServiceLoop: Sendable {
    private let interval: Duration
    private let restsFirst: Bool

    /// - Parameters:
    ///   - interval: from the end of one round to the beginning of the next.
    ///   - restsFirst: whether an interval also passes before the first round.
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
