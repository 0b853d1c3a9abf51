@testable import CensusCore

extension DeviceReading {
    /// The reading after all changes by time are due.
    init(_ state: DeviceState, _ fold: DeviceFold) {
        self.init(
            spans: fold.spans(of: state), phases: state.phases, silentAt: fold.silentAt(of: state) ?? .day(0),
            reportingUntil: state.reportedAt.map(fold.window.end(lastHeard:)), dueAt: nil, zone: fold.window.zone)
    }
}
