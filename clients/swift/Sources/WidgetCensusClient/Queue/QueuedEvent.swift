import Foundation

/// An event as stored in its file.
struct QueuedEvent: Hashable, Codable, Sendable {
    /// Raise it if programs that know only the previous format would misread the files. New fields don't need that: unknown
    /// ones are ignored, and new ones must be optional.
    static let format = 1

    var format = QueuedEvent.format
    var context: EventContext
    var event: Event
    /// The era of ``Consent``.
    var era: String?

    enum Reading: Hashable, Sendable {
        case event(QueuedEvent)
        /// From a newer version of the app, which might be installed again.
        case newer
        case broken
    }

    static func read(_ data: Data) -> Reading {
        struct Header: Decodable { var format: Int }
        guard let header = try? JSONDecoder.ofWire.decode(Header.self, from: data), header.format > 0 else {
            return .broken
        }
        guard header.format <= format else { return .newer }
        guard let event = try? JSONDecoder.ofWire.decode(QueuedEvent.self, from: data) else { return .broken }
        return .event(event)
    }
}
