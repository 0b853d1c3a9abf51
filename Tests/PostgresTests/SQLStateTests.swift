import Postgres
import Testing

@Suite struct `Blame for an error` {
    @Test(arguments: [
        ("08006", Blame.store), ("53100", .store), ("53300", .store), ("55P03", .store), ("57014", .store),
        ("57P01", .store), ("57P03", .store), ("58030", .store), ("25006", .store), ("25P03", .store),
        ("40001", .conflict), ("40P01", .conflict),
        ("22021", .data), ("22P02", .data), ("22P05", .data), ("22003", .data), ("23514", .data), ("54001", .data),
        ("42501", .setUp), ("28P01", .setUp), ("28000", .setUp), ("3D000", .setUp), ("XX001", .setUp),
        ("42P01", .program), ("23505", .program), ("25P02", .program), ("0A000", .program), ("P0001", .program),
    ]) func `the SQLSTATE decides who is to blame`(code: String, blame: Blame) {
        let state = SQLState(rawValue: code)
        #expect(state.blame == blame)
        let error = PostgresError(.server(state))
        #expect(error.blame == blame)
        #expect(error.isStoreAway == (blame == .store))
        #expect(error.isDataError == (blame == .data))
        #expect((error.advice == .retry) == [.store, .conflict].contains(blame))
    }
}
