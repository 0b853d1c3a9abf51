internal import HTTPTypes

extension HTTPField.Name {
    /// A name that the program's text holds: a wrong one is found by whatever test first meets it.
    init(validated name: String) {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header name") }
        self = name
    }
}
