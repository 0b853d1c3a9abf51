import Testing

@Suite struct `Sessions` {
    /// One whose client the network had forgotten kept its locks for hours: who sent those events again got 503 as long.
    @Test func `in a transaction end a minute after their client was heard last`() async throws {
        try await TestStore.with { test in
            let settings = try await test.lines(
                """
                select current_setting('idle_in_transaction_session_timeout'),
                    current_setting('client_connection_check_interval')
                """)
            #expect(settings == ["1min|500ms"])
        }
    }
}
