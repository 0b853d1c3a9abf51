// Foundation's on Apple's systems.
public struct LocalizedStringResource: ExpressibleByStringLiteral, Sendable {
    public init(stringLiteral text: String) {}
}

public protocol AppIntent: Sendable {
    associatedtype PerformResult: IntentResult
    static var title: LocalizedStringResource { get }
    init()
    func perform() async throws -> PerformResult
}

public protocol IntentResult: Sendable {}

public struct IntentResultContainer<Value, Intent, Content, Dialog>: IntentResult {}

extension IntentResult where Self == IntentResultContainer<Never, Never, Never, Never> {
    public static func result() -> Self { IntentResultContainer() }
}

public protocol WidgetConfigurationIntent: AppIntent {}

extension WidgetConfigurationIntent {
    public func perform() async throws -> some IntentResult { IntentResultContainer<Never, Never, Never, Never>() }
}
