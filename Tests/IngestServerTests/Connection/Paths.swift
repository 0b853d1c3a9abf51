import Testing

@testable import IngestServer

@Suite(.serialized, .server) struct `Paths` {
    /// Each path of the API with its allowed methods, except /metrics, which other machines can't see.
    static let known = Route.all.filter { $0.name != "metrics" }.flatMap { route in
        route.paths.map { ($0, route.allowed) }
    }

    @Test(arguments: [
        "/v1", "/v1/", "/v1/event", "/v1/events/", "/v1/events/1", "/V1/events", "//v1/events", "/v2/events",
        "/v1/../v1/events", "/v1/events%00", "/noop", "/v1/%65vents", "/livez/", "/favicon.ico", "*",
    ]) func `an unknown path gets 404`(path: String) async throws {
        let server = try server()
        for method in ["GET", "POST"] {
            let response = try await server.send(RawRequest(method: method, path: path))
            #expect(response.status == 404, "\(method)")
            #expect(try response.answer.code == "not_found")
            #expect(response.headers["content-type"] == "application/json")
        }
    }

    @Test(arguments: known) func `a known path with another method gets 405 with the allowed methods`(
        path: String, allowed: [String]
    ) async throws {
        let server = try server()
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]
        where !allowed.contains(method) {
            let response = try await server.send(RawRequest(method: method, path: path))
            #expect(response.status == 405, "\(method)")
            #expect(response.headers["allow"] == allowed.joined(separator: ", "))
            // People get a page, programs get JSON.
            if path.hasPrefix("/console") {
                #expect(response.headers["content-type"]?.hasPrefix("text/html") == true)
            } else {
                #expect(try response.answer.code == "method_not_allowed")
            }
        }
    }

    @Test(arguments: ["/livez", "/healthz", "/readyz"]) func `HEAD gets the headers of GET without its body`(
        path: String
    ) async throws {
        let server = try server()
        let response = try await server.send(RawRequest(method: "HEAD", path: path))
        let full = try await server.get(path)
        #expect(response.status == 200)
        #expect(response.headers["content-length"] == "\(full.body.count)")
        #expect(response.headers["content-type"] == full.headers["content-type"])
    }

    @Test(arguments: known) func `a response to HEAD has no body, so the next response is read correctly`(
        path: String, allowed: [String]
    ) async throws {
        let connection = try server().connect()
        try await connection.send(RawRequest(method: "HEAD", path: path).bytes)
        #expect([200, 405].contains(try await connection.response(toHead: true).status))
        try await connection.send(RawRequest(method: "GET", path: "/livez").bytes)
        #expect(try await connection.response().status == 200)
    }

    @Test func `a query string is ignored`() async throws {
        let server = try server()
        var request = server.request(Array(Sample(Sample.opened()).json.utf8))
        request.path += "?device=1&x=%00"
        #expect(try await server.send(request).status == 202)
    }

    @Test func `pipelined requests get responses in order`() async throws {
        let server = try server()
        let connection = try server.connect()
        let good = server.request(Array(Sample(Sample.opened()).json.utf8))
        let paths = ["/livez", "/nowhere", "/readyz"].map { RawRequest(method: "GET", path: $0).bytes }
        try await connection.send(paths[0] + good.bytes + paths[1] + paths[2])
        for status in [200, 202, 404, 200] { #expect(try await connection.response().status == status) }
    }
}
