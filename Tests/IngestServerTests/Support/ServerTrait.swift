import CensusCore
import IngestServer
import PostgresTesting
import Spool
import Testing

/// Gives a suite one door for all of its tests, as ``IngestTestServer/shared``.
struct ServerTrait: SuiteTrait, TestScoping {
    var options: ServerOptions
    /// What the spool may hold; nil: there is none.
    var spoolLimit: Int?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let folder = TestFolder()
        let spool = try spoolLimit.map { try BatchSpool(folder: folder.path, limit: $0, program: "test") }
        try await IngestTestServer.open(options: options, spool: spool) { door in
            // What the door itself says of a test that fails: a status alone does not tell why.
            let log = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                issue.comments.append(Comment(rawValue: "the door's log:\n\(door.logs.problems)"))
                return issue
            }
            try await IngestTestServer.$shared.withValue(door) {
                try await log.provideScope(for: test, testCase: testCase, performing: function)
            }
        }
        spool?.close()
    }
}

extension Trait where Self == ServerTrait {
    static var door: ServerTrait { door { _ in } }

    /// A door that waits only so long for a whole request.
    static func door(deadline: Duration) -> ServerTrait {
        door { $0.limits.requestDeadline = deadline }
    }

    static func door(deadline: Duration, _ change: (inout ServerOptions) -> Void) -> ServerTrait {
        door {
            $0.limits.requestDeadline = deadline
            change(&$0)
        }
    }

    /// A door with a spool that may hold so many bytes.
    static func door(spoolLimit: Int) -> ServerTrait {
        ServerTrait(options: ServerOptions(), spoolLimit: spoolLimit)
    }

    static func door(_ change: (inout ServerOptions) -> Void) -> ServerTrait {
        var options = ServerOptions()
        change(&options)
        return ServerTrait(options: options)
    }
}

/// The door of the suite that runs.
func door() throws -> IngestTestServer { try #require(IngestTestServer.shared, "the suite lacks the trait .door") }
