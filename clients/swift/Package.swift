// swift-tools-version: 6.2
import PackageDescription

let swiftSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "WidgetCensusClient",
    // Duration and Task.sleep(for:) begin with iOS 16.
    platforms: [.iOS(.v16), .macOS(.v14)],
    products: [.library(name: "WidgetCensusClient", targets: ["WidgetCensusClient"])],
    targets: [
        // The system's zlib, to compress what is sent.
        .systemLibrary(name: "CZlib"),
        .target(
            name: "WidgetCensusClient", dependencies: ["CZlib"], resources: [.copy("PrivacyInfo.xcprivacy")],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "WidgetCensusClientTests", dependencies: ["CZlib", "WidgetCensusClient"], exclude: ["StandIns"],
            swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
