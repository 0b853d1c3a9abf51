import Fleet
import PostgresTesting
import Testing

@testable import CensusCore

@Suite struct `Uses` {
    /// If the constraint of `census.device_use` lacked a use, its devices would be set aside.
    @Test func `every act is stored, folded and counted by its name`() async throws {
        try await TestStore.with { test in
            var phone = Phone("phone")
            for (number, act) in WidgetAct.allCases.enumerated() {
                phone.happens(.happened(act, to: Placement(kind: "weather")), .day(70 + number))
            }
            try await test.tell(phone)
            try await test.night()
            #expect(try await test.lines("select reason from census.set_aside") == [])
            let uses = Set(Use.allCases.map(\.rawValue))
            #expect(Set(try await test.lines("select distinct use from census.device_use")) == uses)
            #expect(Set(WidgetAct.allCases.map(\.use.rawValue)) == uses.subtracting(["heard"]))
            let reported = Set(try await test.lines("select distinct event from report.usage"))
            #expect(reported == ["opened", "configured", "rendered"])
        }
    }
}
