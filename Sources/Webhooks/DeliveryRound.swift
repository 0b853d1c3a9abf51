internal import CensusStore

/// Decides what a round of deliveries does next.
///
/// It is a pure state machine; ``WebhookService`` owns it and carries out its steps. A round ends when nothing is due and no
/// attempt is under way. A receiver that hangs occupies only its own place, and the others stay free for messages that become
/// due.
struct DeliveryRound {
    enum Step: Hashable {
        /// Claim at most this many due messages, then call ``claimed(_:)`` or ``failed(_:)``.
        case claim(atMost: Int)
        /// Start a pause beside the attempts, then call ``paused()`` to look for messages that have become due.
        case pause
        /// Wait until an attempt or the pause ends.
        case wait
        case end
    }

    /// The most attempts at once, each to a different webhook.
    private let places: Int
    private(set) var attempts = 0
    private var underway = 0
    /// The first error of our own. After it the round claims nothing more and lets the attempts under way end.
    private(set) var failure: StoreError?
    private var mayClaim = true
    private var isPausing = false

    init(places: Int) { self.places = places }

    mutating func next(isStopping: Bool) -> Step {
        let looksForMore = failure == nil && !isStopping
        let free = places - underway
        if looksForMore, mayClaim, free > 0 {
            mayClaim = false
            return .claim(atMost: free)
        }
        guard underway > 0 else { return .end }
        if looksForMore, !isPausing {
            isPausing = true
            return .pause
        }
        return .wait
    }

    mutating func claimed(_ count: Int) {
        attempts += count
        underway += count
    }

    /// The claim failed.
    mutating func failed(_ error: StoreError) { failure = failure ?? error }

    /// - Parameter hindrance: the error that prevented recording the attempt's outcome.
    mutating func ended(_ hindrance: StoreError?) {
        underway -= 1
        failure = failure ?? hindrance
        mayClaim = true
    }

    mutating func paused() {
        isPausing = false
        mayClaim = true
    }
}
