internal import CensusCore

/// How much memory requests can take.
package struct AdmissionLimits: Hashable, Sendable {
    /// For all requests that are being read or decoded, or wait for their commit.
    package var bytes = 64 << 20
    /// For all requests with one key.
    package var bytesPerKey = 16 << 20
    /// A body that inflates to more waits for its turn to be decoded. A smaller one takes at most a few milliseconds.
    package var lightBytes = 16 << 10
    /// Bytes of memory for each byte of a light body while it is decoded. `[1,1,…]` and widgets of one letter are the worst.
    package var decodedFactor = 16

    package init() {}
}

/// How many of a line's requests run at once, how many can wait, and how long.
struct LineLimits: Hashable, Sendable {
    var places: Int
    var placesPerKey = Int.max
    /// The total size of those that run.
    var bytes = Int.max
    var waitingPerKey = 64
    var waiting = 256
    var patience: Duration
}

extension Admission.Line {
    func limits(_ options: ServerOptions) -> LineLimits {
        let patience = options.patience
        return switch self {
        case .decoding:
            LineLimits(
                places: HeavyThreads.places, bytes: options.limits.inflatedBytes, waitingPerKey: 16, waiting: 64,
                patience: .milliseconds(2_500))
        case .gallery: LineLimits(places: 3, placesPerKey: 2, patience: patience.question / 2)
        case .erasures: LineLimits(places: 2, placesPerKey: 1, patience: patience.erasure / 2)
        case .manifests: LineLimits(places: 2, placesPerKey: 1, patience: patience.question)
        // Reports from phones need the store's connections more.
        case .reads: LineLimits(places: 3, placesPerKey: 2, waiting: 128, patience: .seconds(5))
        }
    }
}

extension FairLine {
    init(_ limits: LineLimits) {
        self.init(
            places: limits.places, placesPerKey: limits.placesPerKey, bytes: limits.bytes,
            waitingPerKey: limits.waitingPerKey, waiting: limits.waiting)
    }
}
