#if canImport(WidgetKit)
    import Foundation
    import WidgetKit

    /// Reads the list of widgets from WidgetCenter.
    struct WidgetCenterList: WidgetList {
        /// WidgetCenter promises a result, but doesn't say when.
        private static let patience = Duration.seconds(10)

        func read() async throws(ReadFailure) -> [Widget] {
            let result = await withCheckedContinuation { continuation in
                let first = FirstResult(continuation)
                WidgetCenter.shared.getCurrentConfigurations { first.take($0.mapped) }
                Task {
                    try? await Task.sleep(for: WidgetCenterList.patience)
                    first.take(.failure(.timeout))
                }
            }
            return try result.get()
        }
    }

    /// Resumes the continuation with the first result and ignores later ones.
    private final class FirstResult: Sendable {
        typealias Outcome = Result<[Widget], ReadFailure>
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

    extension Result<[WidgetInfo], any Error> {
        fileprivate var mapped: FirstResult.Outcome {
            map { $0.map(Widget.init) }.mapError { error in
                let error = error as NSError
                return ReadFailure(domain: error.domain, code: error.code)
            }
        }
    }

    extension Widget {
        fileprivate init(_ info: WidgetInfo) {
            self.init(
                info.kind, family: String(describing: info.family),
                intent: info.configuration.map { String(describing: type(of: $0)) })
        }
    }
#endif
