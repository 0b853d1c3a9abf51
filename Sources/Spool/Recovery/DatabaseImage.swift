/// The pages of a SQLite file and of its log, each read on its own: no page is found by way of another.
struct DatabaseImage {
    let pageSize: Int
    private let main: RawFile?
    private let log: RawFile?
    /// The last frame of each page.
    private var newest: [UInt32: Int] = [:]
    private var frames: [Int] = []

    init(main: RawFile?, log: RawFile?, pageSize: Int) {
        self.main = main
        self.log = log
        self.pageSize = pageSize
        guard let log else { return }
        for start in stride(from: WriteAheadLog.header, to: log.size, by: WriteAheadLog.frameHeader + pageSize) {
            frames.append(start + WriteAheadLog.frameHeader)
            newest[log.read(at: start, count: 4).number(at: 0)] = start + WriteAheadLog.frameHeader
        }
    }

    /// Possible sizes of a page: what the files say, which may be damaged, and the size that a spool's pages always have.
    static func pageSizes(main: RawFile?, log: RawFile?) -> Set<Int> {
        let ours = 4_096
        var sizes: Set = [ours]
        if let head = main?.read(at: 16, count: 2), head.count == 2 {
            let size = Int(head[0]) << 8 | Int(head[1])
            sizes.insert(size == 1 ? 65_536 : size)
        }
        if let log { sizes.insert(WriteAheadLog(log).pageSize) }
        return sizes.filter(\.isPageSize)
    }

    /// Calls `body` with every page: the file's first, then the log's in the order they were written.
    func forEachPage(_ body: (_ page: [UInt8], _ isFirst: Bool) throws -> Void) rethrows {
        for start in stride(from: 0, to: main?.size ?? 0, by: pageSize) {
            try body(main?.read(at: start, count: pageSize) ?? [], start == 0)
        }
        for start in frames { try body(log?.read(at: start, count: pageSize) ?? [], false) }
    }

    /// - Parameter inLog: whether the log's newest image of the page takes precedence over the file's.
    func page(_ number: UInt32, inLog: Bool) -> [UInt8] {
        if inLog, let offset = newest[number] { return log?.read(at: offset, count: pageSize) ?? [] }
        guard number > 0 else { return [] }
        return main?.read(at: (Int(number) - 1) * pageSize, count: pageSize) ?? []
    }
}
