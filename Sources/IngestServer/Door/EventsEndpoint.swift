internal import CensusCore
internal import CensusStore
internal import HTTPTypes
internal import Hummingbird

/// `POST /v1/events`: read, decode, refuse or keep, and answer after COMMIT.
struct EventsEndpoint: Sendable {
    let guardian: Guardian
    let reader: BodyReader
    let decoder: BatchDecoder
    let names: NameGate
    let commits: GroupCommit
    /// Where there is a spool.
    let takeover: Takeover?
    let load: DoorLoad
    let secret: Secret
    /// For the store to tell and keep names.
    let patience: Duration
    let metrics: DoorMetrics
    let now: @Sendable () -> Timestamp

    func respond(to request: Request, context: DoorContext) async throws -> Response {
        let visitor = try await guardian.require(.write, of: request)
        let key = visitor.key
        guard request.isJSON else {
            throw Problem(.unsupportedMediaType, "wrong_content_type", "Content-Type must be application/json")
        }
        let body = try await reader.read(request, context)
        let received = now()
        var batch: Batch
        do throws(EnvelopeError) {
            batch = try decoder.decode(body, received: received)
        } catch {
            throw Problem(error)
        }
        guardian.limiter.charge(visitor.hash, events: batch.events.count)
        // By bytes: ids that only look alike are hashed to different devices.
        guard batch.appID.utf8.elementsEqual(key.appID.utf8) else {
            throw Problem(.forbidden, "wrong_app", "this key is another app's", pointer: "/app/id")
        }
        let unwritten: KnownNames
        do throws(StoreError) {
            (batch, unwritten) = try await admit(batch, key.caps)
        } catch {
            throw Problem(error)
        }

        let parcel = Parcel(
            batch, names: unwritten, appNumber: key.caps.appNumber, secret: secret, received: received)
        load.enter()
        defer { load.leave() }
        do throws(GroupCommit.Failure) {
            // Commit before answering: an acknowledged event must survive a crash.
            try await commits.commit(parcel)
        } catch {
            switch error {
            case .full: throw Problem.busy
            case .store(let error): throw Problem(error)
            }
        }
        return try answer(batch)
    }

    /// - Returns: with the names that must go with the batch, since the store is away and a spool takes over.
    private func admit(_ batch: Batch, _ caps: NameCaps) async throws(StoreError) -> (Batch, KnownNames) {
        if takeover?.isOn != true {
            do throws(StoreError) {
                return (try await names.admit(batch, caps: caps, patience: patience), KnownNames())
            } catch {
                guard let takeover, error.isStoreAway else { throw error }
                takeover.begin(error)
            }
        }
        return await names.admitUnwritten(batch, caps: caps)
    }

    private func answer(_ batch: Batch) throws -> Response {
        var refused: [RefusedEvent] = []
        for case .failure(let event) in batch.events { refused.append(event) }
        metrics.countRefused(refused)
        let accepted = batch.events.count - refused.count
        guard accepted > 0 else {
            throw Problem(
                .unprocessableContent, "all_refused", "every event was refused; see `rejected`", pointer: "/events",
                refused: refused)
        }
        var json = JSONObject()
        json.add("accepted", accepted)
        json.add("rejected", refused)
        return Response(
            status: .accepted, headers: [.contentType: "application/json"], body: .init(byteBuffer: json.buffer))
    }
}

extension Request {
    /// Parameters such as `charset` may follow.
    fileprivate var isJSON: Bool {
        guard let type = headers[.contentType] else { return false }
        if type == "application/json" { return true }
        let essence = type.prefix { $0 != ";" }.lowercased()
        return essence.filter { $0 != " " && $0 != "\t" } == "application/json"
    }
}
