import Foundation

#if canImport(Darwin)
    import Darwin
#endif

/// The id of the current boot. It never leaves the device, only whether it changed, because Apple doesn't allow sending the
/// boot time.
enum BootSession {
    /// - Returns: nil if it can't be read.
    static func current() -> String? {
        #if canImport(Darwin)
            return SystemValue.text(named: "kern.bootsessionuuid")
        #else
            let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            return text?.split(whereSeparator: \.isWhitespace).first.map(String.init)
        #endif
    }
}

/// Reads values of the kernel by name.
enum SystemValue {
    /// - Returns: nil if the value is absent, and always on systems without these names.
    static func text(named name: String) -> String? {
        #if canImport(Darwin)
            var length = 0
            guard sysctlbyname(name, nil, &length, nil, 0) == 0, length > 1 else { return nil }
            var bytes = [UInt8](repeating: 0, count: length)
            guard sysctlbyname(name, &bytes, &length, nil, 0) == 0 else { return nil }
            let text = String(decoding: bytes.prefix(length).prefix { $0 != 0 }, as: UTF8.self)
            return text.isEmpty ? nil : text
        #else
            return nil
        #endif
    }
}
