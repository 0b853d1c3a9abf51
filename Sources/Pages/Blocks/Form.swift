/// One field, and a button that submits it.
struct Form: Sendable {
    var action: Link
    /// Submitted unchanged.
    var hidden: (name: String, value: String)?
    var field: String
    var label: String
    /// Whether the browser hides what is typed.
    var isSecret = false
    var button: String
}
