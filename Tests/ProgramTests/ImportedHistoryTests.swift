import Foundation
import PostgresTesting
import Testing

/// What `import --from` says about a mapping that doesn't fit the export.
@Suite struct `Import mappings` {
    private static let header = "event,time,device,app,version,platform,kind,size,widgets,werr,ws\n"

    private func rows(_ rows: [String]) -> String { Self.header + rows.joined(separator: "\n") }

    private func row(_ event: String, _ properties: String, device: Int = 1, hour: Int = 0) -> String {
        let time = 1_772_445_600 + hour * 3_600
        return "\(event),\(time),A\(device),com.example.weather,1.0,ios,\(properties)"
    }

    private func tried(_ export: String, _ mapping: String) async throws -> Program.Outcome {
        let folder = TestFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        defer { folder.remove() }
        try mapping.write(toFile: folder.path + "/mapping.yaml", atomically: true, encoding: .utf8)
        return try await Program(folder: folder.path).start(
            ["import", "-", "--from", "csv", "--mapping", folder.path + "/mapping.yaml", "--dry-run"], input: export
        ).finished()
    }

    /// A misspelt `error` once counted failed reads as empty lists.
    @Test func `import warns about a property that no record has`() async throws {
        let export = rows([
            row("added", "weather,systemSmall,,,"), row("opened", ",,weather,,"), row("opened", ",,,1101,"),
            row("launch", ",,,,1"),
        ])
        let tried = try await tried(
            export,
            """
            fields: {received: servertime}
            events:
              added: {type: widget_installed, kind: kind, family: sise}
              opened:
                - {type: widgets_reported, list: widgets, error: w_err, where: {source: app}}
                - {type: widgets_reported, list: widgets, error: w_err}
              launch: {type: widgets_reported, flags: {ws: search, wsl: search}}
              removed: {type: widget_removed, kind: kynd}
            kinds: {wether: forecast, weather: weather}
            """)
        for remark in [
            "added: no record has `sise` (family); did you mean `size`?",
            "opened: no record has `w_err` (error); did you mean `werr`?", "opened: no record has `source` (where)",
            "launch: no record has `wsl` (flags)", "fields: no record has `servertime` (received)",
            "kinds: no record names `wether`",
        ] {
            let lines = tried.errors.split(separator: "\n")
            #expect(lines.count { $0.hasPrefix(remark) } == 1, "\(remark)\n\(tried.errors)")
        }
        for other in ["kynd", "`weather`"] { #expect(!tried.errors.contains(other), "\(tried.errors)") }
    }

    @Test func `a mapping whose properties all occur causes no warning`() async throws {
        let export = rows([
            row("added", "weather,systemSmall,,,"), row("opened", ",,weather,,"), row("opened", ",,,1,"),
        ])
        let tried = try await tried(
            export,
            """
            events:
              added: {type: widget_installed, kind: kind, family: size}
              opened: {type: widgets_reported, list: widgets, error: werr}
            kinds: {weather: forecast}
            """)
        #expect(tried.errors.isEmpty && tried.status == 0, "\(tried.errors)")
    }

    /// 820 true placements once became 17,129.
    @Test func `import warns about an installation at every launch`() async throws {
        let launches = (0..<5).flatMap { device in
            (0..<7).map { row("seen", "weather,systemSmall,,,", device: device, hour: $0 * 9) }
        }
        let mapping = """
            events:
              seen: {type: widget_installed, kind: kind, family: size}
              added: {type: widget_installed, kind: kind}
            """
        let tried = try await tried(
            rows(launches + (0..<3).map { row("added", "search,,,,", hour: $0) }), mapping)
        let remark = """
            seen: 7.0 installations of a kind per device on average. If the app sends `seen` at each launch, map it as \
            widget_opened, which proves a widget without adding one

            """
        #expect(tried.errors == remark, "\(tried.errors)")
        let other = mapping.replacing("seen: {type: widget_installed", with: "seen: {type: widget_opened")
        #expect(try await self.tried(rows(launches), other).errors.isEmpty)
    }

    @Test func `import names a channel that never counts`() async throws {
        let tried = try await tried(
            rows([row("added", "weather,,,,")]),
            "channel: debug\nevents: {added: {type: widget_installed, kind: kind}}")
        #expect(
            tried.output.hasSuffix(
                """
                would store at most 1 event of 2026-03-02, 0 refused; 0 ignored; 0 bad lines; nothing was stored
                none of them counts, because the mapping's channel is debug, and reports count only production

                """), "\(tried.output)")
    }
}
