import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The system's HTTP client, without cookies, caches and redirects.
struct URLSessionTransport: Transport {
    private let base: String
    private let key: String
    private let session: URLSession

    init(url: String, key: String) {
        base = String(url.reversed().drop { $0 == "/" }.reversed())
        self.key = key
        let configuration = URLSessionConfiguration.ephemeral
        // Twice what the server takes for a whole request.
        configuration.timeoutIntervalForRequest = 20
        configuration.timeoutIntervalForResource = 60
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    func answer(to request: Request) async -> Answer? {
        // An invalid address is like one where nobody answers.
        guard let url = URL(string: base + request.path) else { return nil }
        var outgoing = URLRequest(url: url)
        outgoing.httpMethod = request.method
        outgoing.httpBody = request.body
        outgoing.setValue("Bearer " + key, forHTTPHeaderField: "Authorization")
        for (name, value) in request.headers { outgoing.setValue(value, forHTTPHeaderField: name) }
        guard let (body, response) = try? await session.data(for: outgoing),
            let response = response as? HTTPURLResponse
        else { return nil }
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            headers[String(describing: name).lowercased()] = String(describing: value)
        }
        return Answer(status: response.statusCode, headers: headers, body: body)
    }
}

/// A redirect comes from a hotel's login page, not from the server. Followed, it would turn the batch into a GET, and hand the key
/// to somebody else.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
