import Testing

@testable import IngestServer

/// A form of the console as a browser would send it.
struct ConsoleForm {
    var action: String
    var fields: [String: String]

    /// The page's form whose action begins with `place`.
    init?(to place: String, act: String? = nil, in page: String) {
        let forms = page.matches(of: /<form[^>]* action="([^"]*)">(?s:(.*?))<\/form>/)
        let form = forms.first { form in
            form.1.hasPrefix(place) && act.map { form.1.contains("act=\($0)&") } ?? true
        }
        guard let form else { return nil }
        action = ConsoleForm.unescaped(String(form.1))
        fields = [:]
        for input in form.2.matches(of: /<input[^>]*>/).map({ String($0.output) }) {
            guard let name = input.firstMatch(of: /name="([^"]*)"/)?.1, !input.contains("checkbox") else { continue }
            let value = input.firstMatch(of: /value="([^"]*)"/)?.1
            fields[String(name)] = ConsoleForm.unescaped(value.map(String.init) ?? "")
        }
    }

    var body: String {
        fields.map { "\($0.key)=\(ConsoleForm.encoded($0.value))" }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            let digits = String(byte, radix: 16)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }.joined()
    }

    private static func unescaped(_ text: String) -> String {
        text.replacing("&#39;", with: "'").replacing("&gt;", with: ">").replacing("&lt;", with: "<")
            .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
    }
}

extension IngestTestServer {
    /// Fills in a form of a page, and submits it.
    func submit(
        _ form: ConsoleForm?, _ entries: [String: String] = [:], _ headers: [(String, String)]
    ) async throws -> RawResponse {
        var form = try #require(form, "the page has no such form")
        form.fields.merge(entries) { $1 }
        return try await post(form: form.action, form.body, headers)
    }

    /// Previews an act from a kind's page, and returns the preview.
    func preview(
        _ act: String, of kind: String = "weather", with entries: [String: String] = ["reason": "one city only"],
        _ headers: [(String, String)]
    ) async throws -> RawResponse {
        let page = try await send(
            RawRequest(method: "GET", path: "/console/kind?app=\(IngestTestServer.app)&kind=\(kind)", headers: headers))
        return try await submit(ConsoleForm(to: "/console/preview", act: act, in: page.text), entries, headers)
    }

    /// Confirms a preview.
    func confirm(_ preview: RawResponse, _ headers: [(String, String)]) async throws -> RawResponse {
        try await submit(ConsoleForm(to: "/console/act", in: preview.text), [:], headers)
    }
}
