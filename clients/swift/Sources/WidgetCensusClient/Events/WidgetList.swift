import Foundation

/// Reads which widgets are on the home screen. A protocol, because only Apple's systems have a WidgetCenter.
protocol WidgetList: Sendable {
    func read() async throws(ReadFailure) -> [Widget]
}

/// The list of a surface besides widgets.
struct SurfaceList: Sendable {
    var surface: Surface
    var list: any WidgetList
}

extension [PlacementList] {
    /// One list for each surface.
    var bySurface: [SurfaceList] {
        Surface.allCases.compactMap { surface in
            let parts = filter { $0.surface == surface && $0.isAvailable }
            return parts.isEmpty ? nil : SurfaceList(surface: surface, list: JoinedList(parts: parts))
        }
    }
}

/// The placements of one surface that the system lists in parts, such as Live Activities, which it lists by type.
private struct JoinedList: WidgetList {
    let parts: [PlacementList]

    /// - Throws: if one of the parts can't be read, because the rest would look like the complete list.
    func read() async throws(ReadFailure) -> [Widget] {
        var widgets: [Widget] = []
        for part in parts { widgets += try await part.read() }
        return widgets
    }
}

/// Placements besides widgets that ``Census/report()`` lists.
public struct PlacementList: Sendable {
    let surface: Surface
    /// Whether this system has such placements.
    var isAvailable = true
    let read: @Sendable () async throws(ReadFailure) -> [Widget]
}

/// Reads a list from a system that might never answer.
enum TimedRead {
    static let patience = Duration.seconds(10)

    /// - Parameter start: starts the read, whose first result counts.
    static func result(
        patience: Duration = TimedRead.patience,
        _ start: (@escaping @Sendable (Result<[Widget], any Error>) -> Void) -> Void
    ) async throws(ReadFailure) -> [Widget] {
        let result: Result<[Widget], any Error> = await withCheckedContinuation { continuation in
            let first = FirstResult(continuation)
            start { first.take($0) }
            Task {
                try? await Task.sleep(for: patience)
                first.take(.failure(ReadFailure.timeout))
            }
        }
        do { return try result.get() } catch { throw ReadFailure(error) }
    }
}

/// Resumes the continuation with the first result and ignores later ones.
private final class FirstResult: Sendable {
    typealias Outcome = Result<[Widget], any Error>
    private let continuation: Locked<CheckedContinuation<Outcome, Never>?>

    init(_ continuation: CheckedContinuation<Outcome, Never>) { self.continuation = Locked(continuation) }

    func take(_ outcome: Outcome) {
        let waiting = continuation.withValue { waiting in
            defer { waiting = nil }
            return waiting
        }
        waiting?.resume(returning: outcome)
    }
}

extension ReadFailure {
    init(_ error: any Error) {
        if let failure = error as? ReadFailure {
            self = failure
        } else {
            let error = error as NSError
            self.init(domain: error.domain, code: error.code)
        }
    }
}
