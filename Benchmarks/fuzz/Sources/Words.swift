internal import CensusCore

/// Troublesome JSON, Unicode, numbers and times, and the contract's own words.
enum Words {
    static let tokens: [[UInt8]] = (spelled + names + lengths + long).map { Array($0.utf8) }

    private static let spelled: [String] = [
        "null", "true", "false", "0", "-0", "1", "-1", "1.0", "1.5", "1e0", "1e3", "1000", "1001", "1e400",
        "1e-400",
        "-1e400", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "0.1e1", "01", "1.", ".1",
        "1e", "+1", "NaN", "Infinity", "nul", "{}", "[]", "[[]]", "{\"\":0}", "\"\"", "\" \"", "\"\\u0000\"",
        "\"a\\u0000b\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\ud83e\\udd9c\"", "\"\\u00e9\"", "\"e\\u0301\"",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\x\"", "\"\\u12\"", "\"日本\"", "\"👩🏽‍🚀\"", "\"\u{2028}\"", "\"\u{FEFF}\"",
        "\"\t\"",
        "\"2026-11-21T10:00:00Z\"", "\"2026-11-21T10:00:00.123456789+01:00\"", "\"2026-02-29T00:00:00Z\"",
        "\"2026-11-21T24:00:00Z\"", "\"2026-11-21T23:59:60Z\"", "\"2026-11-21t10:00:00z\"",
        "\"2026-11-21 10:00:00Z\"",
        "\"0000-01-01T00:00:00Z\"", "\"9999-12-31T23:59:59.999999Z\"", "\"1970-01-01T00:00:00-23:59\"",
        "\"2026-11-21T10:00:00\"", "\"2026-11-21T10:00:00+99:99\"", "\"2026-11-21T10:00:00.Z\"",
        "\"ios\"", "\"android\"", "{\"domain\":\"d\",\"code\":1}", "{\"kind\":\"k\"}",
    ]

    private static let names: [String] = (EventType.allCases.map(\.rawValue) + Surface.allCases.map(\.rawValue)).map {
        "\"\($0)\""
    }

    private static let lengths: [String] = [99, 100, 101, 199, 200, 201].flatMap { length in
        ["x", "日"].map { letter in "\"" + String(repeating: letter, count: length) + "\"" }
    }

    private static let long: [String] = [
        String(repeating: "9", count: 400), "0." + String(repeating: "0", count: 400) + "1",
    ]

    static let keys: [[UInt8]] = [
        "sent_at", "app", "id", "version", "channel", "device", "platform", "os_version", "os_build", "booted_at",
        "rebooted",
        "installation", "first_launched_at", "gallery_policy", "events", "type", "at", "surface", "source", "widgets",
        "widget", "error", "domain", "code", "kind", "family", "intent", "configuration", "instance", "count",
        "instances", "received_at", "", "\\u006bind", "k\\u0069nd", "KIND", "\\u0000", "\\ud800",
    ].map { Array("\"\($0)\"".utf8) }

    /// For bytes, also invalid UTF-8.
    static let bytes: [[UInt8]] =
        tokens
        + [
            [0], [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF0, 0x9F],
            [0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0x22], [0x5C], [0x7B], [0x7D], [0x5B], [0x5D], [0x2C], [0x3A],
            [UInt8](repeating: 0x5B, count: 20), [UInt8](repeating: 0x5B, count: 3_000),
            Array(String(repeating: "{\"a\":", count: 20).utf8),
        ]
}
