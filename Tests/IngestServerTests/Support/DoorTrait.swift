import CensusCore
import IngestServer
import Testing

/// Gives a suite one door for all of its tests, as ``OpenDoor/shared``.
struct DoorTrait: SuiteTrait, TestScoping {
    var options: DoorOptions

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await OpenDoor.open(options: options) { door in
            try await OpenDoor.$shared.withValue(door) { try await function() }
        }
    }
}

extension Trait where Self == DoorTrait {
    static var door: DoorTrait { door { _ in } }

    /// A door that waits only so long for a whole request.
    static func door(deadline: Duration) -> DoorTrait {
        door { $0.limits.requestDeadline = deadline }
    }

    static func door(_ change: (inout DoorOptions) -> Void) -> DoorTrait {
        var options = DoorOptions()
        change(&options)
        return DoorTrait(options: options)
    }
}

/// The door of the suite that runs.
func door() throws -> OpenDoor { try #require(OpenDoor.shared, "the suite lacks the trait .door") }
