import Foundation
import Testing

/// Compiles what only Apple's systems have, and the page's code, against stand-ins of Apple's interfaces.
@Suite(.enabled(if: ClientPackage.isOnLinux && PhoneTask.ofThisProcess == nil)) struct `Apple's side` {
    private static let settings = [
        "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature",
        "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility", "-warnings-as-errors",
    ]

    /// An app's: the language's own, and Xcode 26's for new projects.
    private static let isolations = [
        [],
        [
            "-default-isolation", "MainActor", "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
            "-enable-upcoming-feature", "InferIsolatedConformances",
        ],
    ]

    @Test func `compiles against Apple's interfaces, and so does the iOS guide`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "widget-census-apple-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["Intents", "AppIntents", "ActivityKit", "os", "SwiftUI", "WidgetKit", "Security"] {
            let file = ClientPackage.root.appending(path: "Tests/WidgetCensusClientTests/StandIns/\(name).swift").path
            try await compile([file], module: name, in: folder)
        }
        let sources = try ClientPackage.sources().map(\.path)
        #expect(sources.contains { $0.hasSuffix("SystemKeychain.swift") } && sources.count > 20)
        // A module can be made without a look into its functions.
        try await compile(sources, ["-typecheck"] + Self.settings, module: "WidgetCensusClient", in: folder)
        let graphs = folder.appending(path: "graphs")
        try FileManager.default.createDirectory(at: graphs, withIntermediateDirectories: true)
        let options = ["-emit-module", "-emit-symbol-graph", "-emit-symbol-graph-dir", graphs.path]
        try await compile(sources, options, module: "WidgetCensusClient", in: folder)
        for page in try Self.pages() {
            let name = page.deletingPathExtension().lastPathComponent.filter { $0.isLetter }
            let blocks = try blocks(of: page, in: folder)
            if !blocks.isEmpty {
                for isolation in Self.isolations {
                    try await compile(
                        blocks, ["-typecheck"] + Self.settings + isolation, module: "Page_" + name, in: folder)
                }
            }
        }
        try await document(in: folder)
    }

    private static let catalogue = ClientPackage.root.appending(
        path: "Sources/WidgetCensusClient/WidgetCensusClient.docc")

    /// The package's documentation, and in the service's repository the guide.
    private static func pages() throws -> [URL] {
        let articles = try FileManager.default.contentsOfDirectory(at: catalogue, includingPropertiesForKeys: nil)
        #expect(articles.count > 1)
        return articles + [ClientPackage.repository?.appending(path: "docs/guides/ios.md")].compactMap(\.self)
    }

    /// Builds the package's documentation. It fails if a link names no symbol.
    private func document(in folder: URL) async throws {
        try await run(
            [
                "docc", "convert", Self.catalogue.path, "--warnings-as-errors", "--additional-symbol-graph-dir",
                "graphs",
                "--output-path", "documentation",
            ], "documentation", in: folder)
    }

    @Test func `the stand-ins' list names what they declare`() throws {
        let folder = ClientPackage.root.appending(path: "Tests/WidgetCensusClientTests/StandIns")
        let list = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }
        let declarations = try files.flatMap { file in
            try String(contentsOf: file, encoding: .utf8)
                .matches(of: /(?m)^public.* (?:class|struct|enum|protocol|typealias|func) (\w+)/).map { String($0.1) }
        }
        #expect(files.count == 7 && declarations.count > 30)
        for name in declarations { #expect(list.contains("`\(name)`"), "\(name)") }
    }

    /// The Swift of a page: each block with the file that it begins with, the app's and the extension's.
    private func blocks(of page: URL, in folder: URL) throws -> [String] {
        let text = try String(contentsOf: page, encoding: .utf8)
        let blocks = text.matches(of: /```swift\n(?s:(.*?))```/).map { String($0.1) }
        return try blocks.enumerated().map { number, block in
            let file = folder.appending(path: "\(page.deletingPathExtension().lastPathComponent)\(number).swift")
            try block.write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }
    }

    private func compile(
        _ files: [String], _ options: [String] = ["-emit-module"], module: String, in folder: URL
    ) async throws {
        let arguments =
            ["swiftc", "-parse-as-library", "-module-name", module, "-I", "."]
            + ["-I", ClientPackage.root.appending(path: "Sources/CZlib").path] + options + files
        try await run(arguments, module, in: folder)
    }

    private func run(_ arguments: [String], _ name: String, in folder: URL) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let log = folder.appending(path: "\(name).log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        process.standardError = FileHandle(forUpdatingAtPath: log.path)
        process.standardOutput = process.standardError
        try process.run()
        while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        #expect(process.terminationStatus == 0, "\(name): \(said.prefix(3000))")
    }
}
