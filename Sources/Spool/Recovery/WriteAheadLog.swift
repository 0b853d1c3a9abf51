/// SQLite's write-ahead log, read from outside (sqlite.org/fileformat2.html, section 4).
///
/// SQLite itself reads it up to the first frame whose checksum is wrong, and forgets what follows, without a word.
struct WriteAheadLog {
    enum Condition: Hashable {
        /// Everything that was committed to it can be read.
        case whole
        /// Its end can't be read: after a power cut in what was not acknowledged, or after damage to the last commit.
        case torn
        /// Something before a later commit can't be read.
        case damaged
    }

    static let frameHeader = 24
    static let header = 32

    private(set) var condition = Condition.whole
    let pageSize: Int

    init(_ file: RawFile) {
        let head = file.read(at: 0, count: WriteAheadLog.header)
        let magic = head.number(at: 0)
        pageSize = Int(head.number(at: 8))
        // Too short to have a commit.
        guard head.count == WriteAheadLog.header else { return }
        var sum = Checksum(isBigEndian: magic & 1 == 1)
        sum.add(head[..<24])
        guard magic & ~1 == 0x377F_0682, pageSize.isPageSize, sum.isAt(24, in: head) else {
            condition = .damaged
            return
        }
        let salts = (head.number(at: 16), head.number(at: 20))
        let length = WriteAheadLog.frameHeader + pageSize
        var isValid = true
        var commitsAfter = 0
        var framesAfterCommit = 0
        for start in stride(from: WriteAheadLog.header, to: file.size, by: length) {
            let frame = file.read(at: start, count: length)
            guard frame.count == length else {
                // Cut within a frame.
                if isValid { condition = .torn }
                break
            }
            let own = (frame.number(at: 8), frame.number(at: 12))
            if isValid {
                sum.add(frame[..<8])
                sum.add(frame[WriteAheadLog.frameHeader...])
                isValid = own == salts && sum.isAt(16, in: frame)
            }
            guard !isValid else { continue }
            // Frames of an earlier round have other salts. The first one counts the rounds, so theirs is a little smaller.
            if own.1 != salts.1, (1...1_000_000).contains(salts.0 &- own.0) { continue }
            condition = .torn
            if commitsAfter > 0 { framesAfterCommit += 1 }
            if frame.number(at: 4) > 0 { commitsAfter += 1 }
        }
        // A commit is synced before the next one begins.
        if framesAfterCommit > 0 { condition = .damaged }
    }

    private struct Checksum {
        let isBigEndian: Bool
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { buffer in
                for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
                    let left = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                    let right = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                    first &+= (isBigEndian ? UInt32(bigEndian: left) : UInt32(littleEndian: left)) &+ second
                    second &+= (isBigEndian ? UInt32(bigEndian: right) : UInt32(littleEndian: right)) &+ first
                }
            }
        }

        func isAt(_ offset: Int, in bytes: [UInt8]) -> Bool {
            first == bytes.number(at: offset) && second == bytes.number(at: offset + 4)
        }
    }
}

extension Int {
    var isPageSize: Bool { self >= 512 && self <= 65_536 && nonzeroBitCount == 1 }
}
