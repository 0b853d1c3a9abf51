// swift-tools-version: 6.2
import Foundation
import PackageDescription

// CI sets SWIFT_WARNINGS_AS_ERRORS=1: a warning must not land, and must not stop a user whose compiler is newer than ours.
let strict = ProcessInfo.processInfo.environment["SWIFT_WARNINGS_AS_ERRORS"] == "1"

let swiftSettings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (strict ? [.treatAllWarnings(as: .error)] : [])

// scripts/test sets SWIFT_OPTIMIZED=1: what folds and simulates runs thousands of histories in a quarter of the time.
// Assertions are still checked. The rest is not optimized: compiling it takes longer than the tests save. Whole modules compile
// faster than their files one by one; with one thread, the compiler refuses to index them.
// Not by default: a package with unsafe flags cannot be depended on.
let isOptimized = ProcessInfo.processInfo.environment["SWIFT_OPTIMIZED"] == "1"
let optimization = ["-O", "-whole-module-optimization", "-num-threads", "2", "-assert-config", "Debug"]

let foldSettings =
    swiftSettings + (isOptimized ? [.unsafeFlags(optimization, .when(configuration: .debug))] : [])

let package = Package(
    name: "widget-census",
    platforms: [.macOS(.v26)],
    products: [
        .executable(name: "widget-census", targets: ["widget-census"]),
        .library(name: "CensusCore", targets: ["CensusCore"]),
        .library(name: "Postgres", targets: ["Postgres"]),
    ],
    dependencies: [
        // The event loops, and the parser of HTTP/1.
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
        // Methods, statuses and header names.
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        // Start and stop of the service's parts, signals.
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        // Logging API.
        .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
        // SHA-256 of keys and HMAC-SHA256 of device ids: nobody should write their own cryptography.
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        // Sends webhooks and what is simulated: TLS, timeouts and connecting to an address that was checked.
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        // The API of traces, for requests and nights; already below that client.
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        // The TLS errors and settings of that client; already below it.
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
        // SQLite, for the spool: nobody should write their own crash-safe file format.
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        // YAML: the service serves docs/reference/openapi.yaml as JSON.
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.0"),
        // The command line.
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
    ],
    targets: [
        // libpq, PostgreSQL's own client library.
        .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        // zlib, to inflate request bodies in a stream with a cap.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        // malloc.h, which Swift's own module of the C library lacks: to give freed memory back to the kernel.
        .systemLibrary(name: "CMalloc"),
        // The SQL and the documents that the service serves, by #embed: scripts/index-files lists them.
        .target(name: "CEmbeddedFiles"),
        .target(name: "EmbeddedFiles", dependencies: ["CEmbeddedFiles"], swiftSettings: swiftSettings),

        .target(name: "CensusCore", swiftSettings: foldSettings),
        .target(
            name: "Postgres",
            dependencies: ["CLibPQ", .product(name: "Logging", package: "swift-log")],
            swiftSettings: swiftSettings),
        .target(
            name: "EmbeddedPostgres",
            dependencies: [.product(name: "Logging", package: "swift-log")],
            swiftSettings: swiftSettings),
        .target(
            name: "CensusStore",
            dependencies: [
                "CensusCore", "EmbeddedFiles", "Postgres",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),
        // Reads what other analytics tools export, and turns it into batches of ours.
        .target(
            name: "History",
            dependencies: [
                "CensusCore", .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: swiftSettings),
        // What the parts of the service that repeat something have in common.
        .target(
            name: "Services",
            dependencies: [.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")],
            swiftSettings: swiftSettings),
        // Sends trace spans to an operator's collector.
        .target(
            name: "Traces",
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "Spool",
            dependencies: ["CensusCore", "CensusStore", .product(name: "GRDB", package: "GRDB.swift")],
            swiftSettings: swiftSettings),
        // Pages as values, and their renderings: text for terminals, HTML for the console, JSON for programs.
        .target(name: "Pages", dependencies: ["CensusCore", "CensusStore"], swiftSettings: swiftSettings),
        .target(
            name: "IngestServer",
            dependencies: [
                "CensusCore", "CensusStore", "CMalloc", "CZlib", "EmbeddedFiles", "Pages", "Services", "Spool",
                "Traces",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: swiftSettings),
        .target(
            name: "Nightly",
            dependencies: [
                "CensusCore", "CensusStore", "Services",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: swiftSettings),
        // Reports mass losses to receivers over HTTPS.
        .target(
            name: "Webhooks",
            dependencies: [
                "CensusCore", "CensusStore", "Services",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings),
        // Random numbers from a seed, for the simulator and for tests.
        .target(name: "SeededRandom", swiftSettings: foldSettings),
        .target(name: "Fleet", dependencies: ["CensusCore", "SeededRandom"], swiftSettings: foldSettings),
        .executableTarget(
            name: "widget-census",
            dependencies: [
                "CensusCore", "CensusStore", "EmbeddedPostgres", "Fleet", "History", "IngestServer", "Nightly", "Pages",
                "Postgres", "Services", "Spool", "Traces", "Webhooks",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: swiftSettings),

        // Gives the decoder many bodies: Benchmarks/fuzz/run.
        .executableTarget(
            name: "fuzz-decoder", dependencies: ["CensusCore", "SeededRandom"], path: "Benchmarks/fuzz/Sources",
            swiftSettings: swiftSettings),

        // How fast one core folds: Benchmarks/fold/run.
        .executableTarget(
            name: "fold-benchmark", dependencies: ["CensusCore", "Fleet"], path: "Benchmarks/fold/Sources",
            swiftSettings: swiftSettings),

        // The lives of the soak's phones: Benchmarks/soak/run.
        .executableTarget(
            name: "soak-phones", dependencies: ["CensusCore", "Fleet", "SeededRandom"], path: "Benchmarks/soak/Sources",
            swiftSettings: swiftSettings),

        // A simulated fleet asks what its gallery shows, and no device is told to hide what it holds: for the tests, and at full
        // size for Benchmarks/decision/gallery.
        .target(
            name: "GalleryTrial",
            dependencies: [
                "CensusCore", "CensusStore", "Fleet", "IngestServer", "Nightly", "PostgresTesting",
                "SeededRandom", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Benchmarks/decision/Sources/GalleryTrial",
            swiftSettings: swiftSettings),
        .executableTarget(
            name: "gallery-benchmark",
            dependencies: [
                "CensusCore", "GalleryTrial", "PostgresTesting",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Benchmarks/decision/Sources/gallery-benchmark",
            swiftSettings: swiftSettings),

        // Whether losses are found in time and forecasts come true: Benchmarks/decision/run.
        .executableTarget(
            name: "decision-benchmark", dependencies: ["CensusCore", "Fleet", "SeededRandom"],
            path: "Benchmarks/decision/Sources/decision-benchmark", swiftSettings: swiftSettings),

        // A private PostgreSQL for the tests, and a database of its own for every suite.
        .target(
            name: "PostgresTesting",
            dependencies: [
                "EmbeddedPostgres", "Postgres", "SeededRandom", .product(name: "Logging", package: "swift-log"),
            ],
            path: "Tests/PostgresTesting",
            swiftSettings: swiftSettings),
        // As much of JSON Schema as the published schemas use, to hold them against what the program reads and prints.
        .target(name: "SchemaTesting", path: "Tests/SchemaTesting", swiftSettings: swiftSettings),
        // How many random histories a run draws.
        .target(name: "SeedTesting", path: "Tests/SeedTesting", swiftSettings: swiftSettings),
        .testTarget(
            name: "CensusCoreTests",
            dependencies: ["CensusCore", "Fleet", "SchemaTesting", "SeedTesting", "SeededRandom"],
            exclude: ["Checkpoints/Golden"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "FleetTests", dependencies: ["CensusCore", "Fleet", "SeedTesting", "SeededRandom"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "PostgresTests",
            dependencies: [
                "EmbeddedPostgres", "Postgres", "PostgresTesting", "SeededRandom",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "CensusStoreTests",
            dependencies: [
                "CensusCore", "CensusStore", "Fleet", "Nightly", "Postgres", "PostgresTesting", "SeedTesting",
                "SeededRandom",
                .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            exclude: ["Ledger/statements.sql", "Reports/queries.sql"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "SpoolTests",
            dependencies: [
                "CensusCore", "CensusStore", "PostgresTesting", "Spool",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "TracesTests",
            dependencies: [
                "PostgresTesting", "Traces", .product(name: "Logging", package: "swift-log"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "WebhooksTests",
            dependencies: [
                "CensusCore", "CensusStore", "Postgres", "PostgresTesting", "Webhooks",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "HistoryTests", dependencies: ["CensusCore", "History"], swiftSettings: swiftSettings),
        .testTarget(
            name: "PagesTests", dependencies: ["CensusCore", "CensusStore", "Pages", "SeededRandom"],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "IngestServerTests",
            dependencies: [
                "CensusCore", "CensusStore", "CZlib", "EmbeddedPostgres", "GalleryTrial", "IngestServer", "Nightly",
                "Pages",
                "Postgres", "PostgresTesting", "Spool", "Traces", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
            ],
            resources: [.copy("wire")],
            swiftSettings: swiftSettings),
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "widget-census", "CensusCore", "CensusStore", "EmbeddedPostgres", "IngestServer", "Nightly", "Pages",
                "Postgres",
                "PostgresTesting", "SchemaTesting", "SeededRandom",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            exclude: ["Compatibility", "Projects", "Upgrades"],
            swiftSettings: swiftSettings),
    ],
    swiftLanguageModes: [.v6]
)
