internal import CensusStore

/// Which jobs run now and which wait: in turns by key, so that one key's many jobs don't hold up another key's only one.
///
/// A pure value: ``Admission`` owns it and carries out its decisions. Each job has a size. The running jobs' total stays within
/// a limit, but a job that is larger than the limit can run alone.
struct FairLine {
    typealias Ticket = Int

    enum Decision: Equatable {
        case begins
        case waits
        /// Too many are waiting already.
        case refused
    }

    private let places: Int
    private let placesPerKey: Int
    private let bytes: Int
    private let waitingPerKey: Int
    private let waitingLimit: Int
    private var working: [Ticket: (key: KeyHash, bytes: Int)] = [:]
    private var workingBytes = 0
    private var workingPerKey: [KeyHash: Int] = [:]
    /// Each key's waiting jobs, in the order of their arrival.
    private var lines: [KeyHash: [(ticket: Ticket, bytes: Int)]] = [:]
    /// Keys with waiting jobs, the next one first.
    private var order: [KeyHash] = []
    private(set) var waiting = 0

    /// - Parameters:
    ///   - places: how many can run at once.
    ///   - placesPerKey: how many of one key.
    ///   - bytes: the running jobs' total size.
    init(places: Int, placesPerKey: Int = .max, bytes: Int, waitingPerKey: Int, waiting: Int) {
        self.places = places
        self.placesPerKey = placesPerKey
        self.bytes = bytes
        self.waitingPerKey = waitingPerKey
        self.waitingLimit = waiting
    }

    /// A job of this size arrives.
    mutating func come(_ ticket: Ticket, key: KeyHash, bytes: Int) -> Decision {
        // It overtakes no waiting job, except those of keys that already have all their places.
        if hasPlace(key), hasRoom(for: bytes), !order.contains(where: hasPlace) {
            begin(ticket, key, bytes)
            return .begins
        }
        guard waiting < waitingLimit, lines[key, default: []].count < waitingPerKey else { return .refused }
        if lines[key] == nil { order.append(key) }
        lines[key, default: []].append((ticket, bytes))
        waiting += 1
        return .waits
    }

    /// A running job turned out to be smaller than assumed.
    ///
    /// - Returns: the jobs that begin now.
    mutating func shrink(_ ticket: Ticket, to bytes: Int) -> [Ticket] {
        guard let (key, before) = working[ticket], bytes < before else { return [] }
        working[ticket] = (key, bytes)
        workingBytes -= before - bytes
        return beginNext()
    }

    /// A job has ended.
    ///
    /// - Returns: the jobs that begin now.
    mutating func leave(_ ticket: Ticket) -> [Ticket] {
        guard let (key, bytes) = working.removeValue(forKey: ticket) else { return [] }
        workingBytes -= bytes
        let left = workingPerKey[key, default: 1] - 1
        workingPerKey[key] = left == 0 ? nil : left
        return beginNext()
    }

    /// A job gives up waiting.
    ///
    /// - Returns: whether it was waiting, and the jobs that begin now because they were behind it.
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
        while let place = order.firstIndex(where: hasPlace), var line = lines[order[place]], let next = line.first,
            hasRoom(for: next.bytes)
        {
            line.removeFirst()
            waiting -= 1
            let key = order.remove(at: place)
            // The key's next job comes after one job of every other key.
            if !line.isEmpty { order.append(key) }
            lines[key] = line.isEmpty ? nil : line
            begin(next.ticket, key, next.bytes)
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

    private func hasPlace(_ key: KeyHash) -> Bool { workingPerKey[key, default: 0] < placesPerKey }

    private mutating func begin(_ ticket: Ticket, _ key: KeyHash, _ bytes: Int) {
        working[ticket] = (key, bytes)
        workingBytes += bytes
        workingPerKey[key, default: 0] += 1
    }
}
