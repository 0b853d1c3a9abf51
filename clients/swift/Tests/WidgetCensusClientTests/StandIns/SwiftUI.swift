import Foundation

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @MainActor var body: Body { get }
}

extension Never: View { public var body: Never { fatalError() } }

public struct Text: View {
    public init(_ text: String) {}
    public var body: Never { fatalError() }
}

extension View {
    nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View { self }
    nonisolated public func task(
        id: some Equatable, @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { self }
    @MainActor @preconcurrency public func widgetURL(_ url: URL?) -> some View { self }
}

public enum ScenePhase: Comparable, Sendable { case background, inactive, active }

public struct EnvironmentValues { public var scenePhase: ScenePhase { .active } }

@propertyWrapper public struct Environment<Value> {
    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
    public var wrappedValue: Value { fatalError() }
}

@MainActor @preconcurrency public protocol WidgetConfiguration {}

@MainActor @preconcurrency public protocol Widget {
    associatedtype Body: WidgetConfiguration
    @MainActor init()
    @MainActor var body: Body { get }
}
