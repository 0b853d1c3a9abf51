import CensusStore
import Nightly
import PostgresTesting

extension IngestTestServer {
    /// Reconciles all committed observations, and closes the days that have ended.
    func night() async throws { _ = try await NightlyJob(store: store, logger: logs.logger).run() }

    /// Logs in, and returns the session's cookie.
    func login(_ key: Key? = nil, _ more: (String, String)...) async throws -> String {
        let key = if let key { key } else { try await store.keys.add(app: IngestTestServer.app, role: .read) }
        let response = try await post(form: "/console/login", "key=\(key.text)", more)
        return response.headers["set-cookie"].map { String($0.prefix { $0 != ";" }) } ?? ""
    }

    /// Posts a form as one of the console's own pages would.
    func post(form path: String, _ body: String, _ more: [(String, String)] = []) async throws -> RawResponse {
        try await send(
            RawRequest(
                path: path,
                headers: [
                    ("Content-Type", "application/x-www-form-urlencoded"), ("Sec-Fetch-Site", "same-origin"),
                ] + more, body: Array(body.utf8)))
    }
}
