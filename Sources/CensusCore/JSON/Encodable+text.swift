// Values that JSON holds as texts.

extension Day: Encodable {
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Timestamp: Encodable {
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension ShellCommand: Encodable {
    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
