#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The system's figures about this process, under the names of Prometheus' own clients. Left out on systems other than Linux.
enum ProcessVitals {
    static func write(to exposition: inout Exposition) {
        #if os(Linux)
            // proc(5): skip the program's name, which is in parentheses and can hold spaces. The field after it is number 3.
            guard let status = SystemFile.text(of: "/proc/self/stat"), let end = status.lastIndex(of: ")") else {
                return
            }
            let fields = status[status.index(after: end)...].split(separator: " ").map { Int($0) ?? 0 }
            guard fields.count > 21 else { return }
            let ticks = max(sysconf(Int32(_SC_CLK_TCK)), 1)
            exposition.add(.residentMemory, fields[21] * sysconf(Int32(_SC_PAGESIZE)))
            exposition.add(.processorTime, Double(fields[11] + fields[12]) / Double(ticks))
            if let boot = bootTime { exposition.add(.startTime, Double(boot) + Double(fields[19]) / Double(ticks)) }
        #endif
    }

    #if os(Linux)
        /// Seconds since 1970.
        private static var bootTime: Int? {
            let line = SystemFile.text(of: "/proc/stat")?.split(separator: "\n").first { $0.hasPrefix("btime ") }
            return line.flatMap { Int($0.dropFirst(6)) }
        }
    #endif
}
