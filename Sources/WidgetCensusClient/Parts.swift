import Foundation

/// What a client is made of. Tests pass in others.
struct Parts: Sendable {
    var application: Application
    var channel: String
    var files: any Files = SystemFiles()
    var list: any WidgetList
    var transport: any Transport
    var keychain: any Keychain
    var bootSession: @Sendable () -> String? = { BootSession.current() }
    var documentsCreated: @Sendable () -> Date?
    var surroundings = Courier.Surroundings()
    var limits = QueueLimits()
    var tell: @Sendable (WidgetCensus.Problem) -> Void = { _ in }
}
