/// Limits the tests that use the database server at once. All of them would wait for each other until they time out.
actor Turnstile {
    static let shared = Turnstile(places: 4)

    /// Whether this task is inside already, because a test can need a second database.
    @TaskLocal private static var isInside = false

    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) {
        self.places = places
    }

    nonisolated func pass(_ body: () async throws -> Void) async throws {
        if Turnstile.isInside { return try await body() }
        await enter()
        do {
            try await Turnstile.$isInside.withValue(true) { try await body() }
        } catch {
            await leave()
            throw error
        }
        await leave()
    }

    private func enter() async {
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty {
            places += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
