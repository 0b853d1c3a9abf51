import Foundation

/// The events waiting to be sent: a folder with one immutable file for each.
///
/// All processes of the app can append at the same time. Only the app itself sends.
struct EventQueue: Sendable {
    let folder: Folder
    var limits = QueueLimits()

    /// Adds an event. When this returns, it survives the process.
    ///
    /// - Returns: false if the queue is full of more valuable events.
    @discardableResult
    func append(_ event: QueuedEvent) throws(FileFailure) -> Bool {
        guard let data = try? JSONEncoder.ofWire.encode(event) else { throw .other(0) }
        let name = EventName(
            at: event.event.at, serial: folder.nextSerial(), rank: EventRank(event.event.type), bytes: data.count)
        let evicted = limits.evictions(from: try names(), adding: name)
        let isKept = !evicted.contains(name)
        if isKept { try folder.write(data, to: path(of: name)) }
        // Evict after the write, so that a kill in between loses nothing and only leaves the queue a little too long.
        try evict(evicted.filter { $0 != name }, andOneMore: !isKept)
        return isKept
    }

    /// All waiting events, in the order in which they happened by the device's clock.
    func names() throws(FileFailure) -> [EventName] {
        try folder.names(in: "queue").compactMap(EventName.init).sorted()
    }

    /// Reads an event, and sets it aside if it is damaged.
    ///
    /// - Returns: nil if it is gone, damaged, or from a newer version.
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

    // MARK: - Evictions

    /// The evictions not reported yet. Each is an empty, immutable file whose name contains the number.
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
        // Without this, a phone that is offline for a long time would have a mark for each lost event.
        for mark in marks.dropFirst(EventQueue.marksAllowed - 1) {
            let larger = EvictionMark(serial: mark.serial, count: mark.count + count)
            do {
                return try folder.move("queue/" + mark.text, to: "queue/" + larger.text)
            } catch .absent {
                // Another process was faster, or the app has reported the mark.
            }
        }
        try folder.write(Data(), to: "queue/" + EvictionMark(serial: folder.nextSerial(), count: count).text)
    }

    private static let marksAllowed = 16

    // MARK: - Damaged files

    /// Moves a damaged file to `aside` for inspection, and keeps only the newest few there.
    private func setAside(_ name: EventName) throws(FileFailure) {
        try folder.move(path(of: name), to: "aside/" + name.text)
        for name in try folder.names(in: "aside").sorted().dropLast(EventQueue.asideAllowed) {
            try folder.remove("aside/" + name)
        }
    }

    private static let asideAllowed = 20
}

/// A record that events were evicted, with their number: `000007-3f9a2c71-50.evicted`.
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
    /// The server keeps events for 90 days, so it would soon reject anything older than this.
    static let longestWait: TimeInterval = 85 * 24 * 3600

    /// Removes events that are too old to be sent, by both clocks.
    ///
    /// A phone's clock can jump by years, which must not delete the whole queue. So nothing is too old until the server has
    /// responded. Until then, only number and size limit the queue.
    func removeExpired(now: Date, doorTime: Date) throws(FileFailure) {
        let newest = min(now, doorTime).addingTimeInterval(-EventQueue.longestWait)
        try remove(names().filter { $0.date < newest })
    }
}
