import Foundation
import Testing

/// What Apple's review reads. A key that is misspelled would be as if it were not there.
@Suite struct `Privacy manifest` {
    private struct Manifest: Decodable, Equatable {
        struct DataType: Decodable, Equatable {
            var NSPrivacyCollectedDataType: String
            var NSPrivacyCollectedDataTypeLinked: Bool
            var NSPrivacyCollectedDataTypeTracking: Bool
            var NSPrivacyCollectedDataTypePurposes: [String]
        }

        struct AccessedType: Decodable, Equatable {
            var NSPrivacyAccessedAPIType: String
            var NSPrivacyAccessedAPITypeReasons: [String]
        }

        var NSPrivacyTracking: Bool
        var NSPrivacyTrackingDomains: [String]
        var NSPrivacyCollectedDataTypes: [DataType]
        var NSPrivacyAccessedAPITypes: [AccessedType]
    }

    private func data() throws -> Data {
        try Data(contentsOf: ClientPackage.root.appending(path: "Sources/WidgetCensusClient/PrivacyInfo.xcprivacy"))
    }

    @Test func `declares a device id and product interaction, for analytics, not linked, and no tracking`() throws {
        let manifest = try PropertyListDecoder().decode(Manifest.self, from: data())
        let types = ["NSPrivacyCollectedDataTypeDeviceID", "NSPrivacyCollectedDataTypeProductInteraction"].map { type in
            Manifest.DataType(
                NSPrivacyCollectedDataType: type, NSPrivacyCollectedDataTypeLinked: false,
                NSPrivacyCollectedDataTypeTracking: false,
                NSPrivacyCollectedDataTypePurposes: ["NSPrivacyCollectedDataTypePurposeAnalytics"])
        }
        let accessed = Manifest.AccessedType(
            NSPrivacyAccessedAPIType: "NSPrivacyAccessedAPICategoryFileTimestamp",
            NSPrivacyAccessedAPITypeReasons: ["C617.1"])
        #expect(
            manifest
                == Manifest(
                    NSPrivacyTracking: false, NSPrivacyTrackingDomains: [], NSPrivacyCollectedDataTypes: types,
                    NSPrivacyAccessedAPITypes: [accessed]))
    }

    @Test func `has Apple's keys and no others`() throws {
        let plist = try PropertyListSerialization.propertyList(from: data(), format: nil)
        #expect(
            keys(in: plist) == [
                "NSPrivacyTracking", "NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes",
                "NSPrivacyCollectedDataType",
                "NSPrivacyCollectedDataTypeLinked", "NSPrivacyCollectedDataTypeTracking",
                "NSPrivacyCollectedDataTypePurposes", "NSPrivacyAccessedAPITypes", "NSPrivacyAccessedAPIType",
                "NSPrivacyAccessedAPITypeReasons",
            ])
    }

    /// APIs that need a reason, as Apple lists them, and that stand in no manifest of ours.
    @Test func `names every API that needs a reason`() throws {
        let undeclared = [
            "systemUptime", "mach_absolute_time", "kern.boottime", "UserDefaults", "volumeAvailableCapacity", "statfs",
            "activeInputModes", "getattrlist", "fstat", "lstat", "stat(",
        ]
        let sources = try ClientPackage.sources().map { try String(contentsOf: $0, encoding: .utf8) }.joined()
        for name in undeclared { #expect(!sources.contains(name), "\(name)") }
        #expect(sources.contains(".creationDate"))
    }

    private func keys(in value: Any) -> Set<String> {
        switch value {
        case let dictionary as [String: Any]:
            dictionary.reduce(into: Set(dictionary.keys)) { $0.formUnion(keys(in: $1.value)) }
        case let array as [Any]: array.reduce(into: []) { $0.formUnion(keys(in: $1)) }
        default: []
        }
    }
}
