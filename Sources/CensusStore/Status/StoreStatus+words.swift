package import CensusCore

// The same words on the terminal and in the console.

extension StoreStatus {
    /// When the last night ran, and what it did.
    package var nightInWords: String {
        guard let night else { return "none yet: `widget-census nightly` closes days" }
        let begun = "\(night.startedAt.toTheMinute) (\((askedAt - night.startedAt).asAge))"
        guard night.finishedAt != nil else { return "\(begun): it is still running, or was killed" }
        var done: [String] = []
        if let closed = night.daysClosed {
            done.append("\(closed.counted("day")) closed, \((night.daysRestated ?? 0).grouped) restated")
        }
        if let devices = night.devices { done.append(devices.counted("device") + " reconciled") }
        if let failed = night.appsFailed, failed > 0 { done.append("\(failed.counted("app")) failed") }
        let seconds = (night.seconds * 10).rounded() / 10
        return "\(begun): " + (done.isEmpty ? "ended after" : "\(done.joined(separator: ", ")), in") + " \(seconds) s"
    }

    /// Whether devices wait for the reconciler.
    package var reconciledInWords: String {
        guard devicesPending > 0 else { return "everything in PostgreSQL" }
        return [
            "\(pendingInWords), the oldest for \(longestWait.inWords)",
            lag.map { "the newest counted event is \($0.inWords) old" },
        ].compactMap(\.self).joined(separator: "; ")
    }

    /// How many devices wait for the reconciler: 1,204 devices wait.
    var pendingInWords: String {
        devicesPending < StoreStatus.countLimit
            ? devicesPending.counted("device", "waits", "wait") : "over \(devicesPending.grouped) devices wait"
    }
}

extension Timestamp {
    /// For people: 2026-11-21 10:00Z.
    package var toTheMinute: String { description.prefix(16).replacing("T", with: " ") + "Z" }
}
