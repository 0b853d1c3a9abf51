import Foundation

extension EventQueue {
    /// The door keeps events of 90 days. What is older than this would be refused before it is read.
    static let longestWait: TimeInterval = 85 * 24 * 3600

    /// Removes what is too old to be sent.
    ///
    /// Only what is too old by both clocks. A phone's clock may jump by years, and would take all that waits with it; so
    /// nothing is too old before the door was reached. Until then number and size bound the queue.
    func removeExpired(now: Date, doorTime: Date) throws(FileFailure) {
        let newest = min(now, doorTime).addingTimeInterval(-EventQueue.longestWait)
        try remove(names().filter { $0.date < newest })
    }
}
