internal import ArgumentParser
internal import CensusCore
internal import Logging

/// Writes logs to standard error, one JSON object a line: `time` (RFC 3339), `level`, `message` and `metadata`.
struct JSONLogHandler: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info
    var metadataProvider: Logger.MetadataProvider?

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata.merging(metadataProvider?.get() ?? [:]) { $1 }.merging(event.metadata ?? [:]) { $1 }
        if let error = event.error { all["error"] = "\(error)" }
        LogStream.shared.write(JSONLogHandler.line(event.message.description, event.level, all))
    }

    static func line(_ message: String, _ level: Logger.Level, _ metadata: Logger.Metadata = [:]) -> String {
        var line = #"{"time":"\#(Timestamp.now)","level":"\#(level)","message":"#
        line += message.jsonQuoted
        if !metadata.isEmpty { line += #","metadata":"# + json(.dictionary(metadata)) }
        return line + "}\n"
    }

    private static func json(_ value: Logger.MetadataValue) -> String {
        switch value {
        case .string(let text): text.jsonQuoted
        case .stringConvertible(let value): value.description.jsonQuoted
        case .array(let values): "[" + values.map(json).joined(separator: ",") + "]"
        case .dictionary(let members):
            "{"
                + members.sorted { $0.key < $1.key }.map { $0.key.jsonQuoted + ":" + json($0.value) }
                .joined(separator: ",") + "}"
        }
    }
}

enum LogFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    case text, json
}
