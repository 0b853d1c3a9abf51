import Foundation

extension EventQueue {
    /// The door keeps events for 90 days. Anything older than this would be refused before it is read.
    static let longestWait: TimeInterval = 85 * 24 * 3600

    /// Removes what is too old to be sent.
    ///
    /// Only what is too old by both clocks. A phone's clock may jump by years, and everything that waits would be lost; so
    /// nothing is too old until the door has been reached. Before that, number and size bound the queue.
    func removeExpired(now: Date, doorTime: Date) throws(FileFailure) {
        let newest = min(now, doorTime).addingTimeInterval(-EventQueue.longestWait)
        try remove(names().filter { $0.date < newest })
    }
}
