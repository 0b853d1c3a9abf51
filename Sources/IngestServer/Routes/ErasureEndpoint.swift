internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import Spool

/// `DELETE /v1/device`: erases a device, and responds when all of its data is gone.
final class ErasureEndpoint: Sendable {
    private let store: Store
    /// Allows few erasures at a time: each takes several round trips, and reports need the store's connections more.
    private let admission: Admission
    /// This node's spool, if it has one.
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
        // With two ids in the header, the wrong device might be erased.
        let named = request.headers[values: .censusDevice]
        guard named.count == 1, let id = named.first, !id.isEmpty else {
            throw Problem(.badRequest, "no_device", "send one device id, in one header Census-Device")
        }
        // A 204 would be wrong: the id in the header is not that of the device that was meant.
        try RawID.check(id)
        let (device, time) = (secret.device(id, app: key.appID), now())
        do {
            // An unknown device is erased, too: its events might still arrive.
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
            // After the store has recorded the erasure: it drops whatever any node spools from now on.
            try await spool?.erase([device])
        } catch {
            throw Problem.away
        }
        // The id as the server read it, so that the caller can compare.
        return Response(status: .noContent, headers: [.censusDevice: id])
    }
}

extension RawID {
    /// - Throws: ``Problem``: 400 for an invalid id. Bytes that are not UTF-8 were read as U+FFFD, so the id would be that of
    ///   another device.
    static func check(_ id: String) throws {
        if let fault = fault(of: id) {
            throw Problem(
                .badRequest, "invalid_device", "the id in Census-Device \(fault); send the `device.id` of its batches")
        }
    }
}
