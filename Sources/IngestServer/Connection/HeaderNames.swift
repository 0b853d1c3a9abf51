internal import HTTPTypes

extension HTTPField.Name {
    static let requestID = HTTPField.Name(validated: "Request-Id")
    static let xRequestID = HTTPField.Name(validated: "X-Request-Id")
    /// A device's raw id: in a header, never in a URL, so that it ends up in no log.
    static let censusDevice = HTTPField.Name(validated: "Census-Device")
    /// How many calls of a batch that got 200 were refused, and what is wrong with the first.
    static let censusRefused = HTTPField.Name(validated: "Census-Refused")
    static let censusRefusedFirst = HTTPField.Name(validated: "Census-Refused-First")
    /// A name written in this program: the first test that uses a wrong one finds it.
    init(validated name: String) {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no header name") }
        self = name
    }
}
