import Foundation
import Testing

/// Compiles what only Apple's systems have, and the page's code, against stand-ins of Apple's interfaces.
@Suite(.enabled(if: PhoneTask.ofThisProcess == nil)) struct `Apple's side` {
    private static let settings = [
        "-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny", "-enable-upcoming-feature",
        "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility", "-warnings-as-errors",
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
        try await compile(sources, module: "WidgetCensusClient", in: folder)
        guard let repository = ClientPackage.repository else { return }
        let guide = try page(repository.appending(path: "docs/guides/ios.md"), in: folder)
        try await compile(guide, ["-typecheck"] + Self.settings, module: "Page", in: folder)
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

    /// The Swift of the page: each block with the file that it begins with, the app's and the extension's.
    private func page(_ page: URL, in folder: URL) throws -> [String] {
        let text = try String(contentsOf: page, encoding: .utf8)
        let blocks = text.matches(of: /```swift\n(?s:(.*?))```/).map { String($0.1) }
        #expect(blocks.count >= 3)
        return try blocks.enumerated().map { number, block in
            let file = folder.appending(path: "Block\(number).swift")
            try block.write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }
    }

    private func compile(
        _ files: [String], _ options: [String] = ["-emit-module"], module: String, in folder: URL
    ) async throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-parse-as-library", "-module-name", module, "-I", "."]
            + ["-I", ClientPackage.root.appending(path: "Sources/CZlib").path] + options + files
        process.currentDirectoryURL = folder
        let log = folder.appending(path: "\(module).log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        process.standardError = FileHandle(forUpdatingAtPath: log.path)
        process.standardOutput = process.standardError
        try process.run()
        while process.isRunning { try await Task.sleep(for: .milliseconds(10)) }
        let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        #expect(process.terminationStatus == 0, "\(module): \(said.prefix(3000))")
    }
}
