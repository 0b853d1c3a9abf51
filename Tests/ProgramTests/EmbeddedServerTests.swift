import EmbeddedPostgres
import Foundation
import Logging
import PostgresTesting
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct `Embedded PostgreSQL` {
    /// A folder with fsync off, because these tests are about processes, not about power cuts.
    private struct Place {
        var folder = TestFolder()

        /// A cluster whose server is down. Most of these tests aren't about creating one, which takes longest.
        private static let made = Task {
            let place = Place()
            await (try place.start()).stop()
            return place.folder
        }

        static func withCluster() async throws -> Place { Place(folder: try await made.value.copy()) }

        var path: String { folder.path }

        func start() async throws -> EmbeddedServer {
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            return try await EmbeddedServer.start(
                .init(dataDirectory: path, settings: ["fsync": "off"]), logger: logger)
        }

        /// The process id in postmaster.pid; nil if there is no server.
        var postmaster: Int32? {
            let text = try? String(contentsOfFile: path + "/postgres/postmaster.pid", encoding: .utf8)
            return text?.split(separator: "\n").first.flatMap { Int32($0) }
        }

        /// The mode of a file, without its type.
        func mode(of name: String = "") throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
            return try #require(attributes[.posixPermissions] as? Int)
        }
    }

    @Test func `only the owner can read the folder, and nothing listens on TCP`() async throws {
        let place = Place()
        defer { place.folder.remove() }
        let server = try await place.start()
        // Root's folder lets the user postgres pass, and lets nobody list it.
        #expect(try place.mode() == (geteuid() == 0 ? 0o711 : 0o700))
        for name in ["/postgres", "/run"] { #expect(try place.mode(of: name) == 0o700) }
        for name in ["/postgres.log", "/users.lock", "/start.lock"] { #expect(try place.mode(of: name) == 0o600) }
        #expect(try await server.query("show listen_addresses") == "")
        #expect(try await server.query("select inet_server_addr() is null") == "t")
        await server.stop()
        #expect(place.postmaster == nil)
    }

    @Test func `a restart keeps the data`() async throws {
        let place = Place()
        defer { place.folder.remove() }
        let first = try await place.start()
        _ = try await first.query("create table kept as select 'grüße' as word")
        await first.stop()
        let second = try await place.start()
        #expect(try await second.query("select word from kept") == "grüße")
        await second.stop()
    }

    @Test func `the server is durable, in UTC and UTF-8, and logs no data`() async throws {
        let place = Place()
        defer { place.folder.remove() }
        let server = try await place.start()
        let settings = try await server.query(
            """
            select string_agg(name || '=' || setting, ' ' order by name) from pg_settings where name in
            ('full_page_writes', 'synchronous_commit', 'data_checksums', 'TimeZone', 'server_encoding', 'jit',
            'log_min_error_statement', 'client_connection_check_interval')
            """)
        let expected = """
            TimeZone=UTC client_connection_check_interval=500 data_checksums=on full_page_writes=on jit=off \
            log_min_error_statement=panic server_encoding=UTF8 synchronous_commit=on
            """
        #expect(Set(settings.split(separator: " ")) == Set(expected.split(separator: " ")))
        await #expect(throws: EmbeddedServerError.self) {
            _ = try await server.query("select 'tell-tale'::int")
        }
        await server.stop()
        #expect(try !String(contentsOfFile: place.path + "/postgres.log", encoding: .utf8).contains("tell-tale"))
    }

    @Test func `the last user of the server stops it`() async throws {
        let place = try await Place.withCluster()
        defer { place.folder.remove() }
        async let starts = (place.start(), place.start())
        let (first, second) = try await starts
        await first.stop()
        #expect(try await second.query("select 1") == "1")
        await first.stop()
        #expect(try await second.query("select 1") == "1")
        await second.stop()
        #expect(place.postmaster == nil)
    }

    @Test func `a start adopts a server whose user died`() async throws {
        let place = try await Place.withCluster()
        defer { place.folder.remove() }
        // Deallocated without stop(): the lock is released as when a process dies, and the server stays.
        _ = try await place.start()
        let orphan = try #require(place.postmaster)
        let adopted = try await place.start()
        #expect(place.postmaster == orphan)
        await adopted.stop()
        #expect(place.postmaster == nil)
    }

    @Test func `the next start or revival replaces a killed postmaster`() async throws {
        let place = try await Place.withCluster()
        defer { place.folder.remove() }
        let first = try await place.start()
        _ = try await first.query("create table kept as select 1 as number")
        kill(try #require(place.postmaster), SIGKILL)
        let second = try await place.start()
        #expect(try await second.query("select number from kept") == "1")
        kill(try #require(place.postmaster), SIGKILL)
        try await first.revive()
        #expect(try await second.query("select number from kept") == "1")
        await first.stop()
        await second.stop()
        #expect(place.postmaster == nil)
    }

    @Test(arguments: [1, 999_999_999, Int32.zero])
    func `a stale process id doesn't prevent a start`(process: Int32) async throws {
        let place = try await Place.withCluster()
        defer { place.folder.remove() }
        // Zero stands for our own id, which is alive and not a server's.
        let text = "\(process == 0 ? getpid() : process)\n\(place.path)/postgres\n1700000000\n5432\n\(place.path)/run\n"
        for name in ["/postgres/postmaster.pid", "/run/.s.PGSQL.5432.lock"] {
            try text.write(toFile: place.path + name, atomically: false, encoding: .utf8)
        }
        let server = try await place.start()
        #expect(try await server.query("select 1") == "1")
        await server.stop()
    }

    /// A power cut can leave empty files, beside which a server refuses to start.
    @Test(arguments: ["", "\n", "garbage\n", "\0\0\0\0"])
    func `a lock file without a process id doesn't prevent a start`(text: String) async throws {
        let place = try await Place.withCluster()
        defer { place.folder.remove() }
        for name in ["/postgres/postmaster.pid", "/run/.s.PGSQL.5432.lock"] {
            try text.write(toFile: place.path + name, atomically: false, encoding: .utf8)
        }
        let server = try await place.start()
        #expect(try await server.query("select 1") == "1")
        await server.stop()
    }

    @Test func `a start repeats an initdb that was killed`() async throws {
        let place = Place()
        defer { place.folder.remove() }
        let half = place.path + "/postgres.unfinished-1/base"
        try FileManager.default.createDirectory(atPath: half, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: place.path)
        await (try place.start()).stop()
        #expect(!FileManager.default.fileExists(atPath: half))
    }
}

@Suite struct `Embedded PostgreSQL errors` {
    private func failure(
        _ configuration: EmbeddedServer.Configuration
    ) async throws -> EmbeddedServerError {
        try await #require(throws: EmbeddedServerError.self) {
            _ = try await EmbeddedServer.start(configuration, logger: Logger(label: "test"))
        }
    }

    @Test func `a path too long for a socket is an error that names CENSUS_DATA_DIR`() async throws {
        let error = try await failure(.init(dataDirectory: "/tmp/" + String(repeating: "x", count: 90)))
        guard case .pathTooLong(_, bytes: 113, limit: _) = error else { throw error }
        #expect(error.description.contains("CENSUS_DATA_DIR"))
    }

    @Test(arguments: ["/tmp/a,b", "/tmp/$(id)", "/tmp/\"", "/tmp/`id`", "/tmp/a\nb"])
    func `a path that a shell or libpq would misread is rejected`(path: String) async throws {
        guard case .unusablePath = try await failure(.init(dataDirectory: path)) else {
            return #expect(Bool(false), "\(path) was accepted")
        }
    }

    @Test func `missing server programs are an error that says what to install`() async throws {
        let folder = TestFolder()
        defer { folder.remove() }
        let error = try await failure(.init(dataDirectory: folder.path, programDirectories: ["/nonexistent"]))
        #expect(error == .noPrograms(searched: ["/nonexistent"]))
        #expect(error.description.contains("apt-get install postgresql"))
    }

    @Test func `a cluster of a version that isn't installed is rejected`() async throws {
        let folder = TestFolder()
        defer { folder.remove() }
        try FileManager.default.createDirectory(atPath: folder.path + "/postgres", withIntermediateDirectories: true)
        try "9\n".write(toFile: folder.path + "/postgres/PG_VERSION", atomically: false, encoding: .utf8)
        guard case .versionNotInstalled(_, cluster: 9, _) = try await failure(.init(dataDirectory: folder.path)) else {
            return #expect(Bool(false), "The cluster was accepted")
        }
    }

    @Test func `an unknown setting is an error in the server's own words`() async throws {
        let folder = TestFolder()
        defer { folder.remove() }
        let error = try await failure(
            .init(dataDirectory: folder.path, settings: ["fsync": "off", "no_such_setting": "1"]))
        #expect(error.description.contains("no_such_setting"))
    }
}

@Suite struct `Test databases` {
    @Test func `concurrent tests each get their own database`() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<12 { group.addTask { try await TestDatabase.create().name } }
            var names: Set<String> = []
            for try await name in group { names.insert(name) }
            #expect(names.count == 12)
        }
    }

    @Test func `a copy has the data of its template`() async throws {
        let server = try await TestServer.shared()
        let template = try await TestDatabase.create()
        _ = try await server.query("create table kept as select 7 as number", database: template.name)
        let copy = try await TestDatabase.create(template: template.name)
        #expect(try await server.query("select number from kept", database: copy.name) == "7")
        try await template.drop()
        #expect(try await server.query("select number from kept", database: copy.name) == "7")
    }
}
