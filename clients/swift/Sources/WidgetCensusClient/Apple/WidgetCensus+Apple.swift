#if canImport(WidgetKit)
    public import Foundation
    @preconcurrency public import WidgetKit

    extension WidgetCensus {
        /// Creates the client. Use the same arguments in the app and in its widget extension.
        ///
        /// - Parameters:
        ///   - url: the service, such as `https://census.example.com`, without a path.
        ///   - key: a write key. It ships inside the app, so it is not a secret.
        ///   - appGroup: the group that the app and its widget extension share.
        ///   - channel: only `production` counts. Debug builds have `debug`.
        ///   - consent: whether users must agree before anything is stored.
        ///   - others: what to report besides widgets, such as `[.controls, .liveActivity(RideAttributes.self)]`.
        ///   - onProblem: called on any thread. If nil, problems go to the system's log, with the subsystem `WidgetCensus`.
        public convenience init(
            url: URL, key: String, appGroup: String, channel: String = WidgetCensus.defaultChannel,
            consent: ConsentRequirement = .notRequired, reporting others: [PlacementList] = [],
            onProblem: (@Sendable (Problem) -> Void)? = nil
        ) {
            let application = Application.current(appGroup: appGroup)
            self.init(
                Parts(
                    application: application, channel: channel, consent: consent, list: WidgetCenterList(),
                    others: others.bySurface,
                    transport: URLSessionTransport(url: url.absoluteString, key: key),
                    keychain: application.hasGroup
                        ? GroupKeychain(
                            group: SystemKeychain(accessGroup: appGroup), before: SystemKeychain(accessGroup: nil))
                        : SystemKeychain(accessGroup: nil),
                    documentsCreated: { Application.documentsCreated }, tell: onProblem ?? { $0.log() }))
        }

        public static var defaultChannel: String {
            #if DEBUG
                "debug"
            #else
                "production"
            #endif
        }

        /// Stores a report of the list that `WidgetPushHandler.pushTokenDidChange(_:widgets:)` delivers.
        ///
        /// WidgetKit delivers only widgets that support push updates. Call this only if all of the app's widgets do, because one
        /// that is missing counts as removed.
        public func report(delivered widgets: [WidgetInfo]) { report(widgets.map { Widget($0) }) }
    }

    extension Census {
        /// The user placed a widget. Call this only if the app is certain; lists show it, too.
        public func installed(_ kind: String, family: WidgetFamily, intent: String? = nil) {
            installed(kind, family: String(describing: family), intent: intent)
        }

        /// The user removed a widget. Call this only if the app is certain.
        public func removed(_ kind: String, family: WidgetFamily, intent: String? = nil) {
            removed(kind, family: String(describing: family), intent: intent)
        }

        /// The user changed a widget's settings.
        public func configured(_ kind: String, family: WidgetFamily, intent: String? = nil) {
            configured(kind, family: String(describing: family), intent: intent)
        }

        /// The user tapped a widget, or a button in it.
        public func opened(_ kind: String, family: WidgetFamily, intent: String? = nil) {
            opened(kind, family: String(describing: family), intent: intent)
        }

        /// WidgetKit requested a timeline, but not for a preview.
        public func rendered(_ kind: String, family: WidgetFamily, intent: String? = nil) {
            rendered(kind, family: String(describing: family), intent: intent)
        }
    }

    extension URL {
        /// Returns this URL with a widget's kind and family added to its query, for `.widgetURL(_:)` and `Link(destination:)`.
        public func naming(widget kind: String, family: WidgetFamily, intent: String? = nil) -> URL {
            naming(widget: kind, family: String(describing: family), intent: intent)
        }
    }
#endif
