import AppIntents
import Foundation
import Intents
import SwiftUI

public class WidgetCenter {
    public static let shared = WidgetCenter()
    public func getCurrentConfigurations(_ completion: @escaping (Result<[WidgetInfo], any Error>) -> Void) {}
}

public struct WidgetInfo: Identifiable, @unchecked Sendable {
    public let configuration: INIntent?
    public let family: WidgetFamily
    public let kind: String
    public var id: WidgetInfo { self }
}

extension WidgetInfo: Hashable {
    public static func == (left: WidgetInfo, right: WidgetInfo) -> Bool { left.kind == right.kind }
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

public class ControlCenter {
    public static let shared = ControlCenter()
    public func currentControls() async throws -> [ControlInfo] { [] }
}

public struct ControlInfo: Hashable, Identifiable {
    public let kind: String
    public var id: ControlInfo { self }
}

public struct WidgetPushInfo: Sendable { public let token: Data }

public protocol WidgetPushHandler {
    init()
    func pushTokenDidChange(_ pushInfo: WidgetPushInfo, widgets: [WidgetInfo])
}

public enum WidgetFamily: Int, CustomStringConvertible, Sendable {
    case systemSmall, systemMedium, systemLarge, systemExtraLarge
    case accessoryCircular, accessoryRectangular, accessoryInline
    public var description: String { "systemSmall" }
}

public protocol TimelineEntry { var date: Date { get } }

public struct TimelineReloadPolicy: Sendable { public static let never = TimelineReloadPolicy() }

public struct Timeline<EntryType: TimelineEntry> {
    public init(entries: [EntryType], policy: TimelineReloadPolicy) {}
}

public struct TimelineProviderContext {
    public let family: WidgetFamily
    public let isPreview: Bool
}

public protocol TimelineProvider {
    associatedtype Entry: TimelineEntry
    typealias Context = TimelineProviderContext
    func placeholder(in context: Context) -> Entry
    @preconcurrency func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void)
    @preconcurrency func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
}

public protocol AppIntentTimelineProvider {
    associatedtype Entry: TimelineEntry
    associatedtype Intent: WidgetConfigurationIntent
    typealias Context = TimelineProviderContext
    func placeholder(in context: Context) -> Entry
    func snapshot(for configuration: Intent, in context: Context) async -> Entry
    func timeline(for configuration: Intent, in context: Context) async -> Timeline<Entry>
}

public struct StaticConfiguration: WidgetConfiguration {
    public init<Provider: TimelineProvider>(
        kind: String, provider: Provider, content: @escaping (Provider.Entry) -> some View
    ) {}
}

extension WidgetConfiguration {
    public func supportedFamilies(_ families: [WidgetFamily]) -> some WidgetConfiguration { self }
    public func pushHandler(_ pushHandlerType: any WidgetPushHandler.Type) -> some WidgetConfiguration { self }
}

// Foundation's, where there are app groups.
extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}
