internal import CensusStore

/// A parcel whose sender waits for its answer, which comes once, from whoever knows it first.
///
/// Only ``GroupCommit`` holds one, and it is an actor.
final class WaitingParcel {
    typealias Answer = Result<Void, StoreError>

    let parcel: Parcel
    let came = ContinuousClock.now
    /// Whether it is on its way to the spool, however the commit of its group ends.
    var isHandedOver = false
    private var continuation: CheckedContinuation<Answer, Never>?

    init(_ parcel: Parcel, _ continuation: CheckedContinuation<Answer, Never>) {
        self.parcel = parcel
        self.continuation = continuation
    }

    var isAnswered: Bool { continuation == nil }

    func answer(_ answer: Answer) {
        continuation?.resume(returning: answer)
        continuation = nil
    }
}
