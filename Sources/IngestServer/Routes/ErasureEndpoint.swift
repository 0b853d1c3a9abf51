internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import Spool

/// `DELETE /v1/device`: forgets a device, and answers when all of it is gone.
final class ErasureEndpoint: Sendable {
    private let store: Store
    /// Few at once: each takes several round trips, and phones that report need the store's connections more.
    private let admission: Admission
    /// This node's, where there is one.
    private let spool: BatchSpool?
    private let secret: Secret
    private let patience: Duration
    private let now: @Sendable () -> Timestamp

    init(
        store: Store, admission: Admission, spool: BatchSpool?, secret: Secret, patience: Duration,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.admission = admission
        self.spool = spool
        self.secret = secret
        self.patience = patience
        self.now = now
    }

    func respond(to request: Request, from visitor: Visitor) async throws -> Response {
        let key = visitor.key
        // If two were named, one might be forgotten by mistake.
        let named = request.headers[values: .censusDevice]
        guard named.count == 1, let id = named.first, !id.isEmpty else {
            throw Problem(.badRequest, "no_device", "name the device, once, as Census-Device: ID")
        }
        // "Forgotten" would be untrue of the device that was meant.
        try RawID.check(id)
        let (device, time) = (secret.device(id, app: key.appID), now())
        do {
            // An unknown device is forgotten, too: its events may still be on their way.
            let done: Void? = try await admission.ask(.erasures, for: visitor.hash) {
                [store, patience] () throws(StoreError) in
                _ = try await store.within(patience) { store in
                    try await store.forgetting.forget(
                        device, of: store.apps.app(key.appID), at: time, patience: patience * 3 / 4)
                }
            }
            guard done != nil else { throw Problem.busy }
        } catch let error as StoreError {
            throw Problem(error)
        }
        do throws(SpoolError) {
            // Only once the store knows: what any node spools from now on is dropped when it reaches the store.
            try await spool?.erase([device])
        } catch {
            throw Problem.away
        }
        // The id as it was understood, for the caller to compare.
        return Response(status: .noContent, headers: [.censusDevice: id])
    }
}

extension RawID {
    /// - Throws: ``Problem``: 400 for an id that no device can have. Bytes that are not UTF-8 were read with U+FFFD in their place, and
    ///   would name another device than was meant.
    static func check(_ id: String) throws {
        if let fault = fault(of: id) {
            throw Problem(.badRequest, "invalid_device", "the id in Census-Device \(fault); it is the device's `id`")
        }
    }
}
