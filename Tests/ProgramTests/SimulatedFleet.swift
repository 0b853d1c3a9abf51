import PostgresTesting
import Testing

/// A simulated fleet of `com.example.weather` that the program has imported.
///
/// Created once in this process for each size, with the program's own commands, and copied for every test.
struct SimulatedFleet: Hashable, Sendable {
    static let app = "com.example.weather"

    var devices: Int
    var days: Int
    /// Whether a night has closed its days.
    var isClosed = true

    /// Copies the database, and drops the copy when the body has ended.
    ///
    /// - Parameter body: gets the program, its database, and the fleet's batches, one per line.
    func with(_ body: (Program, TestDatabase, _ batches: String) async throws -> Void) async throws {
        let made = try await Workshop.shared.made(self)
        let database = try await TestDatabase.create(template: made.template)
        try await body(.onDatabase(database), database, made.batches)
        try await database.drop()
    }

    fileprivate struct Made {
        var template: String
        var batches: String
    }

    fileprivate func make() async throws -> Made {
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        try await program.run("apps", "add", Self.app)
        let batches = try await program.run(
            "simulate", "--devices", "\(devices)", "--days", "\(days)", "--output", "-"
        ).output
        #expect(try await program.run("import", "-", input: batches).status == 0)
        if isClosed { #expect(try await program.run("nightly").status == 0) }
        return Made(template: database.name, batches: batches)
    }
}

private actor Workshop {
    static let shared = Workshop()

    private var fleets: [SimulatedFleet: Task<SimulatedFleet.Made, any Error>] = [:]

    func made(_ fleet: SimulatedFleet) async throws -> SimulatedFleet.Made {
        let task = fleets[fleet] ?? Task { try await fleet.make() }
        fleets[fleet] = task
        return try await task.value
    }
}
