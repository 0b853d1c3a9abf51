public import ArgumentParser
public import CensusCore
package import CensusStore

extension Day: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}

extension Timestamp: ExpressibleByArgument {
    public init?(argument: String) { self.init(rfc3339: argument) }
}

extension Key.Role: ExpressibleByArgument {}
