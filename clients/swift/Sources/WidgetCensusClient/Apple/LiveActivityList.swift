#if canImport(ActivityKit) && !os(macOS) && !targetEnvironment(macCatalyst)
    @preconcurrency public import ActivityKit

    @available(iOS 16.1, *)
    extension PlacementList {
        /// The Live Activities of one type, while they are visible. Pass all types that the app has.
        ///
        /// - Parameters:
        ///   - type: the type's attributes.
        ///   - kind: the kind to count them as. Pass one to rename the type without starting a new kind.
        public static func liveActivity<Attributes: ActivityAttributes & SendableMetatype>(
            _ type: Attributes.Type, kind: String = String(describing: Attributes.self)
        ) -> PlacementList {
            PlacementList(surface: .liveActivity) { () async throws(ReadFailure) in
                Activity<Attributes>.activities.filter { $0.activityState.isVisible }.map { _ in Widget(kind) }
            }
        }
    }

    @available(iOS 16.1, *)
    extension ActivityState {
        /// Whether it has started, and nobody has removed it.
        fileprivate var isVisible: Bool {
            if #available(iOS 26, *), self == .pending { return false }
            return self != .dismissed
        }
    }
#endif
