// As much of WidgetKit's interface as the client uses, with Apple's names and types, so that its Apple-only files are compiled
// on Linux, too. Read from developer.apple.com; nothing here runs.
import Foundation
import Intents

public final class WidgetCenter: @unchecked Sendable {
    public static let shared = WidgetCenter()
    public func getCurrentConfigurations(_ completion: @escaping (Result<[WidgetInfo], any Error>) -> Void) {}
}

public struct WidgetInfo: Identifiable {
    public let configuration: INIntent?
    public let family: WidgetFamily
    public let kind: String
    public var id: WidgetInfo { self }
}

extension WidgetInfo: Hashable {
    public static func == (left: WidgetInfo, right: WidgetInfo) -> Bool { left.kind == right.kind }
    public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

@frozen public enum WidgetFamily: Int, CustomStringConvertible, Sendable {
    case systemSmall, systemMedium, systemLarge, systemExtraLarge
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

// Foundation's, where there are app groups.
extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}
