public import ArgumentParser
public import CensusCore
package import CensusStore
package import Fleet

extension Day: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension Timestamp: ExpressibleByArgument {
    public init?(argument: String) { self.init(rfc3339: argument) }
}

extension Pseudonym: ExpressibleByArgument {
    public init?(argument: String) {
        let digits = argument.filter { $0 != "-" }
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}

extension Key.Role: ExpressibleByArgument {}

extension Differences: ExpressibleByArgument {}

extension WebhookMessage.Form: ExpressibleByArgument {}

extension ReportingZone: ExpressibleByArgument {
    public init?(argument: String) { self.init(acceptable: argument) }

    public var defaultValueDescription: String { identifier }
}
