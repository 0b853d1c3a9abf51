import CensusCore
import IngestServer
import PostgresTesting
import Spool
import Testing

/// Gives a suite one door for all of its tests, as ``OpenDoor/shared``.
struct DoorTrait: SuiteTrait, TestScoping {
    var options: DoorOptions
    /// What the spool may hold; nil: there is none.
    var spoolLimit: Int?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let folder = TestFolder()
        let spool = try spoolLimit.map { try BatchSpool(folder: folder.path, limit: $0, program: "test") }
        try await OpenDoor.open(options: options, spool: spool) { door in
            // What the door itself says of a test that fails: a status alone does not tell why.
            let log = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                issue.comments.append(Comment(rawValue: "the door's log:\n\(door.logs.problems)"))
                return issue
            }
            try await OpenDoor.$shared.withValue(door) {
                try await log.provideScope(for: test, testCase: testCase, performing: function)
            }
        }
        spool?.close()
    }
}

extension Trait where Self == DoorTrait {
    static var door: DoorTrait { door { _ in } }

    /// A door that waits only so long for a whole request.
    static func door(deadline: Duration) -> DoorTrait {
        door { $0.limits.requestDeadline = deadline }
    }

    static func door(deadline: Duration, _ change: (inout DoorOptions) -> Void) -> DoorTrait {
        door {
            $0.limits.requestDeadline = deadline
            change(&$0)
        }
    }

    /// A door with a spool that may hold so many bytes.
    static func door(spoolLimit: Int) -> DoorTrait {
        DoorTrait(options: DoorOptions(), spoolLimit: spoolLimit)
    }

    static func door(_ change: (inout DoorOptions) -> Void) -> DoorTrait {
        var options = DoorOptions()
        change(&options)
        return DoorTrait(options: options)
    }
}

/// The door of the suite that runs.
func door() throws -> OpenDoor { try #require(OpenDoor.shared, "the suite lacks the trait .door") }
