#if canImport(WidgetKit)
    import Foundation
    import WidgetKit

    extension WidgetCensus {
        /// Creates the client. Use the same arguments in the app and in its widget extension.
        ///
        /// - Parameters:
        ///   - url: the service, such as `https://census.example.com`.
        ///   - key: a write key. It ships inside the app, so it is not a secret.
        ///   - appGroup: the group that the app and its widget extension share.
        ///   - channel: only `production` counts. Debug builds have `debug`.
        ///   - onProblem: called on any thread.
        public convenience init(
            url: String, key: String, appGroup: String, channel: String = WidgetCensus.defaultChannel,
            onProblem: @escaping @Sendable (Problem) -> Void = { _ in }
        ) {
            let application = Application.current(appGroup: appGroup)
            self.init(
                Parts(
                    application: application, channel: channel, list: WidgetCenterList(),
                    transport: URLSessionTransport(url: url, key: key),
                    keychain: SystemKeychain(accessGroup: application.hasGroup ? appGroup : nil),
                    documentsCreated: { Application.documentsCreated }, tell: onProblem))
        }

        public static var defaultChannel: String {
            #if DEBUG
                "debug"
            #else
                "production"
            #endif
        }
    }
#endif
