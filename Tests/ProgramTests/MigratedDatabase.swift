import EmbeddedPostgres
import Foundation
import PostgresTesting

extension TestDatabase {
    /// Migrated once, by the program itself. If each test migrated, some would take three times as long.
    private static let template = Task {
        let database = try await TestDatabase.create()
        let outcome = try await Program.onDatabase(database).run("migrate")
        guard outcome.status == 0 else { throw NotMigrated(errors: outcome.errors) }
        return database.name
    }

    private struct NotMigrated: Error { var errors: String }

    /// Creates a database with the schema.
    static func migrated() async throws -> TestDatabase { try await create(template: template.value) }

    /// Runs SQL, and returns what psql prints.
    @discardableResult
    func query(_ text: String) async throws -> String {
        try await TestServer.shared().query(text, database: name).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
