import CensusCore
import CensusStore
import HTTPTypes
import Testing

@testable import IngestServer

/// Access to the console's pages.
@Suite(.serialized, .server) struct `Console access` {
    @Test func `without a session each page redirects to the login, and the login back`() async throws {
        let server = try server()
        for path in ["/console", "/console/kind?kind=a%26b", "/console/report/live_now", "/console/device"] {
            let response = try await server.get(path)
            #expect(response.status == 303)
            let address = try #require(response.headers["location"])
            #expect(address.hasPrefix("/console/login?then=%2Fconsole"))
            #expect(try await server.get(address).status == 200)
        }
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .read)
        let back = try await server.post(
            form: "/console/login", "key=\(key.text)&then=%2Fconsole%2Fkind%3Fkind%3Da%2526b")
        #expect(back.status == 303)
        #expect(back.headers["location"] == "/console/kind?kind=a%26b")
    }

    @Test(arguments: [
        "https://evil.example/", "//evil.example", "/console\\..", "/console/login", "/consolex", "/v1/events",
        "/console%0d%0aSet-Cookie:%20a=b",
    ]) func `the login redirects only within the console`(then: String) async throws {
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .read)
        let response = try await server.post(form: "/console/login", "key=\(key.text)&then=\(then)")
        #expect(response.headers["location"] == "/console")
    }

    @Test func `the cookie is kept from scripts, other sites and other paths, and holds no key`() async throws {
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .read)
        let response = try await server.post(form: "/console/login", "key=\(key.text)")
        let cookie = try #require(response.headers["set-cookie"])
        #expect(cookie.hasSuffix("; Path=/console; Max-Age=43200; HttpOnly; SameSite=Strict"))
        #expect(!cookie.contains(key.text))
    }

    @Test(arguments: [Key.Role.write, .release]) func `a key of another role gets no session`(role: Key.Role)
        async throws
    {
        let server = try server()
        let response = try await server.post(
            form: "/console/login", "key=\(try await server.store.keys.add(app: IngestTestServer.app, role: role).text)"
        )
        #expect(response.status == 403)
        #expect(response.headers["set-cookie"] == nil)
    }

    @Test func `an unknown key gets no session, and no page repeats it`() async throws {
        let response = try await server().post(form: "/console/login", "key=wc_read_guess")
        #expect(response.status == 403)
        #expect(response.headers["set-cookie"] == nil)
        #expect(!response.text.contains("wc_read_guess"))
    }

    @Test func `a session sees its key's app and no other`() async throws {
        let server = try server()
        _ = try await IngestTestServer.addApp("com.example.other", to: server.store)
        let cookie = try await server.login()
        #expect(try await server.get("/console?app=\(IngestTestServer.app)", ("Cookie", cookie)).status == 200)
        for app in ["com.example.other", "com.example.nothing"] {
            for path in ["/console", "/console/status", "/console/device", "/console/report/live_now"] {
                let response = try await server.get("\(path)?app=\(app)", ("Cookie", cookie))
                #expect(response.status == 403, "\(path)")
                #expect(!response.text.contains(IngestTestServer.app))
            }
        }
    }

    @Test func `a session ends when its key is revoked`() async throws {
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .read)
        let cookie = try await server.login(key)
        #expect(try await server.get("/console", ("Cookie", cookie)).status == 200)
        #expect(try await server.store.keys.revoke(key))
        let deadline = ContinuousClock.now + .seconds(60)
        var status = 200
        while status == 200, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(100))
            status = try await server.get("/console", ("Cookie", cookie)).status
        }
        #expect(status == 303)
    }

    @Test func `a forged, changed or expired session gives no access`() throws {
        let secret = try Secret(IngestTestServer.secretText)
        let now = Timestamp(seconds: 1_790_000_000)
        let hash = Key(role: .read).hash
        let session = ConsoleSession(key: hash, endsAt: now + .seconds(60))
        let value = session.value(secret: secret)
        func read(_ value: String, _ now: Timestamp, _ secret: Secret) -> ConsoleSession? {
            ConsoleSession.all(in: ["a=b; census_session=\(value)"], isSecure: false, secret: secret, now: now).first
        }
        #expect(read(value, now, secret) == session)
        #expect(read(value, now + .seconds(60), secret) == nil)
        #expect(read(value, now, try Secret("another secret of some length")) == nil)
        let parts = value.split(separator: ".")
        for forged in [
            "", ".", "..", "\(parts[0]).1999999999.\(parts[2])",
            "\(Key(role: .read).hash.bytes.hexadecimal).\(parts[1]).\(parts[2])",
            "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1]).00", value + "0", value.uppercased(),
        ] {
            #expect(read(forged, now, secret) == nil, "\(forged)")
        }
        let both = ConsoleSession.all(
            in: ["census_session=x", "census_session=\(value)"], isSecure: false, secret: secret, now: now)
        #expect(both == [session])
    }

    /// A page on a neighboring host can plant a cookie, which once prevented a new login.
    @Test func `a second cookie of the same name locks nobody out`() async throws {
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .read)
        let good = try await server.login(key)
        let planted = "census_session=planted"
        for cookies in ["\(planted); \(good)", "\(good); \(planted)", "\(planted); \(planted); \(good); \(good)"] {
            #expect(try await server.get("/console", ("Cookie", cookies)).status == 200, "\(cookies)")
        }
        #expect(try await server.get("/console", ("Cookie", planted), ("Cookie", good)).status == 200)
        #expect(try await server.get("/console", ("Cookie", "\(planted); \(planted)")).status == 303)
    }

    @Test func `logging out ends the session in the browser`() async throws {
        let response = try await server().post(form: "/console/logout", "")
        #expect(response.status == 303)
        #expect(response.headers["set-cookie"]?.hasPrefix("census_session=; Path=/console; Max-Age=0") == true)
    }

    @Test(arguments: [
        [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")], [("Origin", "https://evil.example")],
        [("Origin", "null")], [], [("Sec-Fetch-Site", "cross-site"), ("Origin", "http://localhost")],
    ]) func `a POST that another site's page might have made gets 403`(headers: [(String, String)]) async throws {
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .read)
        let cookie = try await server.login(key)
        for (path, body) in [
            ("/console/login", "key=\(key.text)"), ("/console/logout", ""), ("/console/device", "device=x"),
        ] {
            let response = try await server.send(
                RawRequest(
                    path: path,
                    headers: headers + [("Content-Type", "application/x-www-form-urlencoded"), ("Cookie", cookie)],
                    body: Array(body.utf8)))
            #expect(response.status == 403, "\(path)")
            #expect(response.headers["set-cookie"] == nil)
        }
    }

    @Test func `a request without Sec-Fetch-Site is accepted by its Origin`() async throws {
        let server = try server()
        let key = try await server.store.keys.add(app: IngestTestServer.app, role: .read)
        let response = try await server.send(
            RawRequest(
                path: "/console/login",
                headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Origin", "http://localhost")],
                body: Array("key=\(key.text)".utf8)))
        #expect(response.status == 303)
    }

    @Test func `a form larger than 8 KiB gets 413`() async throws {
        let response = try await server().post(form: "/console/login", "key=" + String(repeating: "x", count: 9_000))
        #expect(response.status == 413)
        #expect(!response.text.contains("batch"), "\(response.text)")
        #expect(response.headers["content-type"] == "text/html; charset=utf-8")
    }
}

/// The console behind a proxy, open to everyone, or switched off.
@Suite struct `Console settings` {
    private func open(
        _ change: (inout ConsoleOptions) -> Void, _ body: @Sendable (IngestTestServer) async throws -> Void
    ) async throws {
        var options = ServerOptions()
        change(&options.console)
        try await IngestTestServer.open(options: options, body)
    }

    @Test func `if the console is off, its paths get 404`() async throws {
        try await open({ $0.access = .off }) { (server: IngestTestServer) async throws in
            for path in ["/console", "/console/login", "/console/style.css", "/console/report/live_now"] {
                #expect(try await server.get(path).status == 404)
            }
        }
    }

    @Test func `if the console is open, anyone can see every app without a cookie`() async throws {
        try await open({ $0.access = .open }) { (server: IngestTestServer) async throws in
            _ = try await server.store.apps.add("com.example.other")
            let response = try await server.get("/console")
            #expect(response.status == 200)
            #expect(response.headers["set-cookie"] == nil)
            #expect(response.text.contains("com.example.other"))
            #expect(response.text.contains(IngestTestServer.app))
            #expect(try await server.get("/console?app=com.example.other").status == 200)
            _ = try await server.sql(
                """
                insert into census.app_night (app_number, fault, failure, failed_at)
                select app_number, 'ours', 'a sentence', now() from census.app where app_id = 'com.example.other'
                """)
            let concern = "its days could not be closed: a sentence"
            #expect(
                try await server.get("/console/status?app=\(IngestTestServer.app)").text
                    .contains("com.example.other: \(concern)"))
            #expect(!(try await server.get("/console?app=\(IngestTestServer.app)").text.contains(concern)))
        }
    }

    @Test func `a login header opens the console from a trusted address only`() async throws {
        let name = try #require(HTTPField.Name("X-Forwarded-User"))
        for (address, status) in [("127.0.0.1", 200), ("192.0.2.1", 303)] {
            try await open({
                $0.loginHeader = name
                $0.trustedProxies = [address]
            }) { (server: IngestTestServer) async throws in
                #expect(try await server.get("/console", ("X-Forwarded-User", "anna")).status == status)
                #expect(try await server.get("/console").status == 303)
                #expect(try await server.get("/console", ("X-Forwarded-User", "")).status == 303)
                #expect(
                    try await server.get("/console", ("X-Forwarded-User", "anna"), ("X-Forwarded-User", "eve")).status
                        == 303)
            }
        }
    }

    @Test func `if a trusted proxy says that a request used TLS, the cookie is for TLS only`() async throws {
        for (address, isSecure) in [("127.0.0.1", true), ("192.0.2.1", false)] {
            try await open({ $0.trustedProxies = [address] }) { (server: IngestTestServer) async throws in
                let key = try await server.store.keys.add(app: IngestTestServer.app, role: .read)
                let response = try await server.post(
                    form: "/console/login", "key=\(key.text)", [("X-Forwarded-Proto", "https")])
                let cookie = try #require(response.headers["set-cookie"])
                #expect(cookie.hasSuffix("; Secure") == isSecure)
                // A browser accepts a cookie of this name only with these attributes, and without a domain.
                #expect(cookie.hasPrefix("__Host-census_session=") == isSecure)
                #expect(cookie.contains("; Path=/;") == isSecure)
                #expect(!cookie.lowercased().contains("domain"))
            }
        }
    }

    /// A neighboring host can set that cookie for the whole domain, with a session of its own.
    @Test func `over TLS a cookie of another name gives no access`() async throws {
        try await open({ $0.trustedProxies = ["127.0.0.1"] }) { (server: IngestTestServer) async throws in
            let tls = ("X-Forwarded-Proto", "https")
            let (plain, good) = (try await server.login(), try await server.login(nil, tls))
            #expect(good.hasPrefix("__Host-"))
            #expect(try await server.get("/console", ("Cookie", plain)).status == 200)
            #expect(try await server.get("/console", tls, ("Cookie", plain)).status == 303)
            #expect(try await server.get("/console", tls, ("Cookie", "\(plain); \(good)")).status == 200)
            #expect(try await server.get("/console", ("Cookie", good)).status == 303)
            let end = try await server.post(form: "/console/logout", "", [tls]).headers["set-cookie"]
            #expect(end?.hasPrefix("__Host-census_session=; Path=/; Max-Age=0") == true)
        }
    }
}
