// Values that JSON represents as strings.

extension Day: Codable {
    public init(from decoder: any Decoder) throws { self = try read(decoder) { Day($0) } }

    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Timestamp: Codable {
    public init(from decoder: any Decoder) throws { self = try read(decoder) { Timestamp(rfc3339: $0) } }

    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

extension Text: Decodable {
    public init(from decoder: any Decoder) throws { self.init(try String(from: decoder)) }
}

extension Bytewise: Decodable where Value: Decodable {
    public init(from decoder: any Decoder) throws { self.init(wrappedValue: try Value(from: decoder)) }
}

extension ShellCommand: Encodable {
    package func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

private func read<Value>(_ decoder: any Decoder, _ value: (String) -> Value?) throws -> Value {
    guard let value = value(try String(from: decoder)) else {
        throw DecodingError.dataCorrupted(
            .init(codingPath: decoder.codingPath, debugDescription: "not a valid \(Value.self)"))
    }
    return value
}
