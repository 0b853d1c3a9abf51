import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The system's HTTP client, without cookies, caches or redirects.
struct URLSessionTransport: Transport {
    private let base: String
    private let key: String
    private let session: URLSession

    init(url: String, key: String) {
        base = String(url.reversed().drop { $0 == "/" }.reversed())
        self.key = key
        let configuration = URLSessionConfiguration.ephemeral
        // Twice the time that the server allows for a whole request.
        configuration.timeoutIntervalForRequest = 20
        configuration.timeoutIntervalForResource = 60
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    func answer(to request: Request) async -> Answer? {
        // Treat an invalid URL like one without a server.
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

/// Follows no redirects, because they come from a hotel's login page and not from the server. Following one would turn the
/// batch into a GET and give the key to somebody else.
private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}
