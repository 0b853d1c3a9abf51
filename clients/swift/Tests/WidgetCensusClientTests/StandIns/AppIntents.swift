// As much of AppIntents' interface as docs/guides/ios.md uses. On Apple's systems the text is Foundation's.
public struct LocalizedStringResource: ExpressibleByStringLiteral, Sendable {
    public init(stringLiteral text: String) {}
}

public protocol WidgetConfigurationIntent {
    static var title: LocalizedStringResource { get }
    init()
}
