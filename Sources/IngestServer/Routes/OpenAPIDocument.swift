internal import CensusCore
internal import EmbeddedFiles
internal import Yams

/// `docs/reference/openapi.yaml` as JSON.
enum OpenAPIDocument {
    static let text: String = {
        do {
            let yaml = EmbeddedFile.text(of: "docs/reference/openapi.yaml")
            guard let root = try Yams.compose(yaml: yaml) else {
                preconditionFailure("docs/reference/openapi.yaml is empty")
            }
            return json(root, lines: 3) + "\n"
        } catch {
            preconditionFailure("docs/reference/openapi.yaml: \(error)")
        }
    }()

    /// - Parameter lines: the depth down to which each member is on its own line.
    private static func json(_ node: Node, lines: Int) -> String {
        switch node {
        case .mapping(let mapping):
            let members = mapping.map { key, value in
                (key.string ?? "").jsonQuoted + ": " + json(value, lines: lines - 1)
            }
            return lines > 0
                ? "{\n" + members.joined(separator: ",\n") + "\n}" : "{" + members.joined(separator: ", ") + "}"
        case .sequence(let sequence):
            return "[" + sequence.map { json($0, lines: 0) }.joined(separator: ", ") + "]"
        case .scalar, .alias:
            // Yams.compose has resolved aliases.
            return scalar(node)
        }
    }

    private static func scalar(_ node: Node) -> String {
        if node.null != nil { return "null" }
        if let flag = node.bool { return "\(flag)" }
        if let number = node.int { return "\(number)" }
        if let number = node.float { return "\(number)" }
        // A shorter escape for the many line feeds of descriptions.
        return (node.string ?? "").jsonQuoted.replacing(#"\u000a"#, with: #"\n"#)
    }
}
