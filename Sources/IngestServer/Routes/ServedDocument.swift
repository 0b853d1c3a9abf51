internal import EmbeddedFiles
internal import HTTPTypes
internal import NIOCore

/// The pages of docs/reference that the server serves without a key.
enum ServedDocument: String, CaseIterable {
    case manifestSchema = "/v1/manifest.schema.json"
    case openAPI = "/openapi.json"
    case contract = "/contract.md"

    /// All responses share these buffers, so a client that doesn't read its response holds no memory.
    private static let buffers = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, ByteBuffer(string: $0.text)) })

    static let paths = allCases.map(\.rawValue)

    private var text: String {
        switch self {
        case .manifestSchema: EmbeddedFile.text(of: "docs/reference/manifest.schema.json")
        case .openAPI: OpenAPIDocument.text
        case .contract: EmbeddedFile.text(of: "docs/reference/contract.md")
        }
    }

    private var type: String {
        switch self {
        case .manifestSchema: "application/schema+json"
        case .openAPI: "application/json"
        case .contract: "text/markdown; charset=utf-8"
        }
    }

    static func respond(to request: Request) throws -> Response {
        guard let document = ServedDocument(rawValue: request.path), let buffer = buffers[document] else {
            throw Problem.notFound
        }
        return Response(
            status: .ok, headers: [.contentType: document.type, .cacheControl: "public, max-age=3600"],
            body: buffer)
    }
}
