import CensusCore
import Testing

/// Gives a suite one door for all of its tests, as ``OpenDoor/shared``.
struct DoorTrait: SuiteTrait, TestScoping {
    var limits: Limits

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await OpenDoor.open(limits: limits) { door in
            try await OpenDoor.$shared.withValue(door) { try await function() }
        }
    }
}

extension Trait where Self == DoorTrait {
    static var door: DoorTrait { DoorTrait(limits: Limits()) }

    /// A door that waits only so long for a whole request.
    static func door(deadline: Duration) -> DoorTrait {
        var limits = Limits()
        limits.requestDeadline = deadline
        return DoorTrait(limits: limits)
    }
}

/// The door of the suite that runs.
func door() throws -> OpenDoor { try #require(OpenDoor.shared, "the suite lacks the trait .door") }
