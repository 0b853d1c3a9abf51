/// What every session sets one setting to, whatever the server, the database or the role say.
public struct SessionSetting: Sendable, Hashable {
    public var value: String
    /// What the setting may be instead, as the server prints it: there somebody has asked for more.
    public var alternatives: Set<String>

    public init(_ value: String, or alternatives: Set<String> = []) {
        self.value = value
        self.alternatives = alternatives
    }
}

extension SessionSetting: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self.init(value) }
}
