import PostgresTesting
import Testing

/// `--dry-run` of every command that has it.
@Suite struct `Dry runs` {
    private static let app = "com.example.weather"
    /// An order in which each command has something to change.
    private static let commands: [(path: String, words: [String])] = [
        ("import", ["import", "-"]),
        ("kinds mark", ["kinds", "mark", "weather", "--legacy", "--app", app]),
        ("kinds retire", ["kinds", "retire", "weather", "--anyway", "--app", app]),
        ("kinds reopen", ["kinds", "reopen", "weather", "--app", app]),
        ("losses acknowledge", ["losses", "acknowledge", "radar", "--to", "20.13", "--app", app]),
        ("losses close", ["losses", "close", "radar", "--to", "20.13", "--because", "a trial", "--app", app]),
    ]
    /// The contents of every table, without the numbers that sequences gave out.
    private static let contents = """
        select string_agg(
            relname || query_to_xml(
                format('select md5(string_agg(line::text, %L order by line::text)) from census.%I as line', '', relname),
                false, true, '')::text, '' order by relname)
        from pg_class
        where relnamespace = 'census'::regnamespace and relkind in ('r', 'p') and not relispartition
        """

    @Test func `change nothing, while the same command without the flag does`() async throws {
        let offered = try await CommandTree.paths().filter { $0.names.contains("--dry-run") }.map(\.description)
        #expect(offered.sorted() == Self.commands.map(\.path).sorted(), "try each command with the flag here")
        let database = try await TestDatabase.migrated()
        let program = Program.onDatabase(database)
        try await program.run("apps", "add", Self.app)
        let fleet = try await program.run("simulate", "--devices", "5", "--days", "12", "--output", "-").output
        try await database.query(
            """
            insert into census.loss_version (app_number, to_version, first_day, place, kinds, false_alarms)
            select app_number, '20.13', current_date, 1, 1, 0.01 from census.app;
            insert into census.loss_watch (app_number, surface, kind, to_version, chance, tolerance, state)
            select app_number, 'widget', 'radar', '20.13', 0.1, 1, 'open' from census.app
            """)
        for (path, words) in Self.commands {
            let before = try await database.query(Self.contents)
            let tried = try await program.start(words + ["--dry-run"], input: path == "import" ? fleet : "").finished()
            #expect(tried.status == 0, "\(path): \(tried.errors)")
            #expect(try await database.query(Self.contents) == before, "\(path) --dry-run changed something")
            #expect(!tried.output.contains(" is now "), "\(tried.output)")
            let done = try await program.start(words, input: path == "import" ? fleet : "").finished()
            #expect(done.status == 0, "\(path): \(done.errors)")
            #expect(try await database.query(Self.contents) != before, "\(path) changed nothing")
            if path == "import" { #expect(try await program.run("nightly").status == 0) }
        }
    }
}
