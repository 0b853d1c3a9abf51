internal import CensusStore

/// What a round of deliveries does next: what happened goes in, and the next step comes out.
///
/// A pure value: ``WebhookService`` owns it and acts on what it says. A round ends when nothing is due and nothing is under way. A receiver that hangs holds
/// its own place; meanwhile the others are free for what becomes due.
struct DeliveryRound {
    enum Step: Hashable {
        /// Claim what is due, at most so much; then ``claimed(_:)`` or ``failed(_:)``.
        case claim(atMost: Int)
        /// Begin a pause beside the attempts, after which to look for what has become due; then ``paused()``.
        case pause
        /// Wait until an attempt or the pause ends.
        case wait
        case end
    }

    /// Attempts under way at once, each to another webhook.
    private let places: Int
    private(set) var attempts = 0
    private var underway = 0
    /// The first thing that went wrong on our side. Nothing more is claimed then; what is under way ends.
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

    /// What is due could not be claimed.
    mutating func failed(_ error: StoreError) { failure = failure ?? error }

    /// - Parameter hindrance: what prevented recording how the attempt ended.
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
