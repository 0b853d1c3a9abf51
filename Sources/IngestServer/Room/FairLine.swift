internal import CensusStore

/// Who may work now, and who waits: in turns by key, so that one key's many do not keep another's one waiting.
///
/// Pure: ``HeavyLine`` carries it. What works has a size, and all that work have no more than a limit together, but for
/// one that works alone.
struct FairLine {
    typealias Ticket = Int

    enum Admission: Equatable {
        case begins
        case waits
        /// Too many wait already.
        case refused
    }

    private let places: Int
    private let bytes: Int
    private let waitingPerKey: Int
    private let waitingLimit: Int
    private var working: [Ticket: Int] = [:]
    private var workingBytes = 0
    /// First come, first served among one key's.
    private var lines: [KeyHash: [(ticket: Ticket, bytes: Int)]] = [:]
    /// Keys that have somebody waiting, the next one first.
    private var order: [KeyHash] = []
    private(set) var waiting = 0

    /// - Parameters:
    ///   - places: how many may work at once.
    ///   - bytes: how much they may work on together.
    init(places: Int, bytes: Int, waitingPerKey: Int, waiting: Int) {
        self.places = places
        self.bytes = bytes
        self.waitingPerKey = waitingPerKey
        self.waitingLimit = waiting
    }

    /// Somebody comes, to work on so many bytes.
    mutating func come(_ ticket: Ticket, key: KeyHash, bytes: Int) -> Admission {
        // Nobody passes by those who wait.
        if waiting == 0, hasRoom(for: bytes) {
            begin(ticket, bytes)
            return .begins
        }
        guard waiting < waitingLimit, lines[key, default: []].count < waitingPerKey else { return .refused }
        if lines[key] == nil { order.append(key) }
        lines[key, default: []].append((ticket, bytes))
        waiting += 1
        return .waits
    }

    /// It turned out that somebody who works has less to do than was feared.
    ///
    /// - Returns: those who begin now.
    mutating func shrink(_ ticket: Ticket, to bytes: Int) -> [Ticket] {
        guard let before = working[ticket], bytes < before else { return [] }
        working[ticket] = bytes
        workingBytes -= before - bytes
        return beginNext()
    }

    /// Somebody who worked has ended.
    ///
    /// - Returns: those who begin now.
    mutating func leave(_ ticket: Ticket) -> [Ticket] {
        guard let bytes = working.removeValue(forKey: ticket) else { return [] }
        workingBytes -= bytes
        return beginNext()
    }

    /// Somebody does not wait any longer.
    ///
    /// - Returns: whether he was waiting, with those who begin now: they may have stood behind him.
    mutating func giveUp(_ ticket: Ticket, key: KeyHash) -> (wasWaiting: Bool, begin: [Ticket]) {
        guard var line = lines[key], let position = line.firstIndex(where: { $0.ticket == ticket }) else {
            return (false, [])
        }
        line.remove(at: position)
        waiting -= 1
        set(line, of: key)
        return (true, beginNext())
    }

    private mutating func beginNext() -> [Ticket] {
        var begun: [Ticket] = []
        while let key = order.first, var line = lines[key], let next = line.first, hasRoom(for: next.bytes) {
            line.removeFirst()
            waiting -= 1
            order.removeFirst()
            // Its next one has its turn after one of every other key.
            if !line.isEmpty { order.append(key) }
            lines[key] = line.isEmpty ? nil : line
            begin(next.ticket, next.bytes)
            begun.append(next.ticket)
        }
        return begun
    }

    private mutating func set(_ line: [(ticket: Ticket, bytes: Int)], of key: KeyHash) {
        lines[key] = line.isEmpty ? nil : line
        if line.isEmpty { order.removeAll { $0 == key } }
    }

    private func hasRoom(for bytes: Int) -> Bool {
        working.isEmpty || (working.count < places && workingBytes + bytes <= self.bytes)
    }

    private mutating func begin(_ ticket: Ticket, _ bytes: Int) {
        working[ticket] = bytes
        workingBytes += bytes
    }
}
