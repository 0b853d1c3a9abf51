import CensusCore
import IngestServer
import PostgresTesting
import Spool
import Testing

/// Gives a suite one server for all of its tests, as ``IngestTestServer/shared``.
struct ServerTrait: SuiteTrait, TestScoping {
    var options: ServerOptions
    /// The spool's limit in bytes, or nil for no spool.
    var spoolLimit: Int?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let folder = TestFolder()
        let spool = try spoolLimit.map { try BatchSpool(folder: folder.path, limit: $0, program: "test") }
        try await IngestTestServer.open(options: options, spool: spool) { server in
            // A failed test shows the server's log, because a status alone doesn't explain it.
            let log = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                issue.comments.append(Comment(rawValue: "the server's log:\n\(server.logs.problems)"))
                return issue
            }
            try await IngestTestServer.$shared.withValue(server) {
                try await log.provideScope(for: test, testCase: testCase, performing: function)
            }
        }
        spool?.close()
    }
}

extension Trait where Self == ServerTrait {
    static var server: ServerTrait { server { _ in } }

    /// A server with this deadline for a whole request.
    static func server(deadline: Duration) -> ServerTrait {
        server { $0.limits.requestDeadline = deadline }
    }

    static func server(deadline: Duration, _ change: (inout ServerOptions) -> Void) -> ServerTrait {
        server {
            $0.limits.requestDeadline = deadline
            change(&$0)
        }
    }

    /// A server with a spool of this many bytes.
    static func server(spoolLimit: Int) -> ServerTrait {
        ServerTrait(options: ServerOptions(), spoolLimit: spoolLimit)
    }

    static func server(_ change: (inout ServerOptions) -> Void) -> ServerTrait {
        var options = ServerOptions()
        change(&options)
        return ServerTrait(options: options)
    }
}

/// The running suite's server.
func server() throws -> IngestTestServer { try #require(IngestTestServer.shared, "the suite lacks the trait .server") }
