#if canImport(WidgetKit)
    import Foundation
    @preconcurrency import WidgetKit

    /// Reads the list of widgets from WidgetCenter.
    struct WidgetCenterList: WidgetList {
        func read() async throws(ReadFailure) -> [Widget] {
            // WidgetCenter promises a result, but doesn't say when.
            try await TimedRead.result { take in
                WidgetCenter.shared.getCurrentConfigurations { result in take(result.map { $0.map(Widget.init) }) }
            }
        }
    }

    extension Widget {
        init(_ info: WidgetInfo) {
            self.init(
                info.kind, family: String(describing: info.family),
                intent: info.configuration.map { String(describing: type(of: $0)) })
        }
    }

    extension PlacementList {
        /// The controls that the user placed. Before iOS 18 and macOS 26 there are none, and nothing is reported.
        public static var controls: PlacementList {
            guard #available(iOS 18, macOS 26, *) else {
                return PlacementList(surface: .control, isAvailable: false) { [] }
            }
            return PlacementList(surface: .control) { () async throws(ReadFailure) in
                try await TimedRead.result { take in
                    Task {
                        do {
                            take(.success(try await ControlCenter.shared.currentControls().map { Widget($0.kind) }))
                        } catch {
                            take(.failure(error))
                        }
                    }
                }
            }
        }
    }
#endif
