@testable import CensusCore

extension DeviceReading {
    /// As it is counted when all that time alone will change lies behind.
    init(_ state: DeviceState, _ fold: DeviceFold) {
        self.init(
            spans: fold.spans(of: state), phases: state.phases, silentAt: fold.silentAt(of: state) ?? .day(0),
            reportingUntil: state.reportedAt.map(fold.window.end(lastHeard:)), dueAt: nil, zone: fold.window.zone)
    }
}
