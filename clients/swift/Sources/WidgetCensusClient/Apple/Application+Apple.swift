#if canImport(WidgetKit)
    import Foundation
    import WidgetKit

    extension Application {
        /// - Parameter appGroup: if the app is not entitled to it, the app's own folder is used, and extensions count nothing.
        static func current(appGroup: String) -> Application {
            let app = Bundle.main.app
            let id = app.bundleIdentifier ?? "unknown"
            let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
            let own = folder(in: support.first, id)
            let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroup)
            return Application(
                id: id, version: app.text("CFBundleShortVersionString"), build: app.text("CFBundleVersion"),
                platform: platformName, osVersion: systemVersion, osBuild: SystemValue.text(named: "kern.osversion"),
                isExtension: Bundle.main.isExtension, sharedFolder: group.map { folder(in: $0, id) } ?? own,
                ownFolder: own + "/app")
        }

        /// Apps of a group share its container, so each has a folder of its own.
        private static func folder(in container: URL?, _ id: String) -> String {
            (container?.path ?? NSTemporaryDirectory()) + "/WidgetCensus/" + id
        }

        /// The creation date of the documents folder, which the system makes when it installs the app. Required reason C617.1:
        /// the folder is in the app's container.
        static var documentsCreated: Date? {
            guard let path = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask).first?.path else {
                return nil
            }
            return (try? FileManager.default.attributesOfItem(atPath: path))?[.creationDate] as? Date
        }

        private static var platformName: String {
            #if os(macOS) || targetEnvironment(macCatalyst)
                return "macos"
            #else
                let simulated = ProcessInfo.processInfo.environment["SIMULATOR_MODEL_IDENTIFIER"]
                let model = simulated ?? SystemValue.text(named: "hw.machine") ?? ""
                return model.hasPrefix("iPad") ? "ipados" : "ios"
            #endif
        }

        private static var systemVersion: String {
            let version = ProcessInfo.processInfo.operatingSystemVersion
            let patch = version.patchVersion == 0 ? "" : ".\(version.patchVersion)"
            return "\(version.majorVersion).\(version.minorVersion)\(patch)"
        }
    }

    extension Bundle {
        fileprivate var isExtension: Bool { bundleURL.pathExtension == "appex" }

        /// The app that an extension belongs to: `Weather.app/PlugIns/WeatherWidgets.appex`, one level deeper on a Mac.
        fileprivate var app: Bundle {
            guard isExtension else { return self }
            var url = bundleURL
            for _ in 0..<3 {
                url.deleteLastPathComponent()
                if url.pathExtension == "app", let app = Bundle(url: url) { return app }
            }
            return self
        }

        fileprivate func text(_ key: String) -> String {
            let text = object(forInfoDictionaryKey: key) as? String ?? ""
            return text.isEmpty ? "0" : text
        }
    }
#endif
