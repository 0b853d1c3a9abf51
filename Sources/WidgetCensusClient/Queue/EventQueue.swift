import Foundation

/// Events that wait to be sent: a folder with one immutable file for each.
///
/// Any process of the app may append, at the same time as others. Only the app itself sends them.
struct EventQueue: Sendable {
    let folder: Folder
    var limits = QueueLimits()

    /// Adds an event. When this returns, it survives the process.
    ///
    /// - Returns: false if everything that waits is worth more, and there is no room.
    @discardableResult
    func append(_ event: QueuedEvent) throws(FileFailure) -> Bool {
        guard let data = try? JSONEncoder.ofWire.encode(event) else { throw .other(0) }
        let name = EventName(
            at: event.event.at, serial: folder.nextSerial(), rank: EventRank(event.event.type), bytes: data.count)
        let evicted = limits.evictions(from: try names(), adding: name)
        let isKept = !evicted.contains(name)
        if isKept { try folder.write(data, to: path(of: name)) }
        // After the write: a kill in between leaves the queue a little too long, and loses nothing.
        try evict(evicted.filter { $0 != name }, andOneMore: !isKept)
        return isKept
    }

    /// Everything that waits, in the order in which it happened by the device's clock.
    func names() throws(FileFailure) -> [EventName] {
        try folder.names(in: "queue").compactMap(EventName.init).sorted()
    }

    /// Reads an event. One that is damaged is set aside.
    ///
    /// - Returns: nil if there is nothing to send: it is gone, damaged, or from a newer version.
    func event(_ name: EventName) throws(FileFailure) -> QueuedEvent? {
        let data: Data
        do {
            data = try folder.contents(of: path(of: name))
        } catch .absent {
            return nil
        }
        let reading = data.count == name.bytes ? QueuedEvent.read(data) : .broken
        switch reading {
        case .event(let event): return event
        case .newer: return nil
        case .broken:
            try setAside(name)
            return nil
        }
    }

    func remove(_ names: some Sequence<EventName>) throws(FileFailure) {
        for name in names { try folder.remove(path(of: name)) }
    }

    private func path(of name: EventName) -> String { "queue/" + name.text }

    // MARK: - What was evicted

    /// Evictions that were not reported yet. Each is an empty file whose name holds the number, immutable like an event's.
    func evictions() throws(FileFailure) -> [EvictionMark] {
        try folder.names(in: "queue").compactMap(EvictionMark.init)
    }

    func remove(_ marks: [EvictionMark]) throws(FileFailure) {
        for mark in marks { try folder.remove("queue/" + mark.text) }
    }

    private func evict(_ names: [EventName], andOneMore: Bool) throws(FileFailure) {
        var count = andOneMore ? 1 : 0
        for name in names where try folder.remove(path(of: name)) { count += 1 }
        if count > 0 { try mark(count) }
    }

    private func mark(_ count: Int) throws(FileFailure) {
        let marks = try evictions()
        // Otherwise a phone that is offline for a long time would have a mark for each event that it lost.
        for mark in marks.dropFirst(EventQueue.marksAllowed - 1) {
            let larger = EvictionMark(serial: mark.serial, count: mark.count + count)
            do {
                return try folder.move("queue/" + mark.text, to: "queue/" + larger.text)
            } catch .absent {
                // Another process was faster, or the app has reported it.
            }
        }
        try folder.write(Data(), to: "queue/" + EvictionMark(serial: folder.nextSerial(), count: count).text)
    }

    private static let marksAllowed = 16

    // MARK: - What can't be read

    /// Moves a damaged file out of the way for somebody to examine. Keeps only the newest few.
    private func setAside(_ name: EventName) throws(FileFailure) {
        try folder.move(path(of: name), to: "aside/" + name.text)
        for name in try folder.names(in: "aside").sorted().dropLast(EventQueue.asideAllowed) {
            try folder.remove("aside/" + name)
        }
    }

    private static let asideAllowed = 20
}

/// That events were evicted, and how many: `000007-3f9a2c71-50.evicted`.
struct EvictionMark: Hashable, Sendable {
    var serial: String
    var count: Int

    init(serial: String, count: Int) {
        self.serial = serial
        self.count = count
    }

    init?(_ text: String) {
        guard text.hasSuffix(".evicted") else { return nil }
        let parts = text.dropLast(".evicted".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let count = Int(parts[2]), count > 0 else { return nil }
        serial = parts[0] + "-" + parts[1]
        self.count = count
        guard self.text == text else { return nil }
    }

    var text: String { "\(serial)-\(count).evicted" }
}

extension EventQueue {
    /// The server keeps events for 90 days. Anything older than this would be refused before it is read.
    static let longestWait: TimeInterval = 85 * 24 * 3600

    /// Removes what is too old to be sent.
    ///
    /// Only what is too old by both clocks. A phone's clock may jump by years, and everything that waits would be lost; so
    /// nothing is too old until the server has been reached. Before that, number and size bound the queue.
    func removeExpired(now: Date, doorTime: Date) throws(FileFailure) {
        let newest = min(now, doorTime).addingTimeInterval(-EventQueue.longestWait)
        try remove(names().filter { $0.date < newest })
    }
}
