/// Fields, and a button that submits them.
struct Form: Sendable {
    /// One that a person fills in.
    struct Field: Sendable {
        enum Entry: Sendable {
            case text
            /// A kind of the app.
            case kind
            /// The browser hides what is typed.
            case secret
            case day
            /// A box to tick; submitted as `yes`.
            case tick
        }

        var name: String
        var label: String
        var entry = Entry.text
        var value = ""
        /// What the browser offers to fill in.
        var suggestions: [String] = []
        var isRequired = true
    }

    var action: Link
    /// Submitted unchanged.
    var hidden: [(name: String, value: String)] = []
    var fields: [Field]
    var button: String
    /// What unfolds it; nil: it is always shown.
    var summary: String?
    /// Distinguishes its fields from those of the page's other forms.
    var name = ""
}
