/// One field, and a button that posts it.
struct Form: Sendable {
    var action: Link
    /// Posted as it is.
    var hidden: (name: String, value: String)?
    var field: String
    var label: String
    /// Whether what is typed is shown.
    var isSecret = false
    var button: String
}
