/// A SQL text with the name under which errors, logs and metrics speak of it.
///
/// The name is safe to print anywhere; the text is sent to the server and never logged. Values belong in parameters, `$1`,
/// `$2`, …, never in the text: a connection keeps one prepared statement per text.
public struct Statement: Sendable, Hashable {
    public let name: String
    public let text: String

    public init(_ name: String, _ text: String) {
        self.name = name
        self.text = text
    }
}
