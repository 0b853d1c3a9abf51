/// A JSON object from names and values. Members that are nil are left out.
package struct Members: Encodable, ExpressibleByDictionaryLiteral {
    private var members: [(name: String, value: any Encodable)] = []

    package init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        self.members = members.compactMap { name, value in value.map { (name, $0) } }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
