import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The system's HTTP client, without cookies, caches or redirects.
struct URLSessionTransport: Transport {
    private let base: String
    private let key: String
    private let session: URLSession
    let problem: WidgetCensus.Problem?

    init(url: String, key: String) {
        base = String(url.reversed().drop { $0 == "/" }.reversed())
        self.key = key
        problem = URLSessionTransport.isAddress(base) ? nil : .invalidURL(url)
        let configuration = URLSessionConfiguration.ephemeral
        // Twice the time that the server allows for a whole request.
        configuration.timeoutIntervalForRequest = 20
        configuration.timeoutIntervalForResource = 60
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: NoRedirects(), delegateQueue: nil)
    }

    private static func isAddress(_ text: String) -> Bool {
        guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased() else { return false }
        return ["http", "https"].contains(scheme) && url.host?.isEmpty == false
    }

    func answer(to request: Request) async throws(NoAnswer) -> Answer {
        guard problem == nil, let url = URL(string: base + request.path) else {
            throw NoAnswer(code: "", message: "The URL is invalid.")
        }
        var outgoing = URLRequest(url: url)
        outgoing.httpMethod = request.method
        outgoing.httpBody = request.body
        outgoing.setValue("Bearer " + key, forHTTPHeaderField: "Authorization")
        for (name, value) in request.headers { outgoing.setValue(value, forHTTPHeaderField: name) }
        let (body, response) = try await load(outgoing)
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            headers[String(describing: name).lowercased()] = String(describing: value)
        }
        return Answer(status: response.statusCode, headers: headers, body: body)
    }

    private func load(_ request: URLRequest) async throws(NoAnswer) -> (Data, HTTPURLResponse) {
        do {
            let (body, response) = try await session.data(for: request)
            if let response = response as? HTTPURLResponse { return (body, response) }
        } catch {
            let cause = error as NSError
            throw NoAnswer(code: "\(cause.domain) \(cause.code)", message: error.localizedDescription)
        }
        throw NoAnswer(code: "", message: "The response was not HTTP.")
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
