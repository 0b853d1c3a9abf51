internal import CensusCore
internal import CensusStore
internal import Crypto
internal import HTTPTypes
internal import NIOCore
internal import Synchronization

/// `GET /v1/gallery-policy`: which kinds an app should offer in the widget gallery, in general or on one device.
///
/// While the store is unavailable, devices get `show` for every kind, and the general response comes from this node's memory.
final class GalleryPolicyEndpoint: Sendable {
    /// The `max-age` of responses, in seconds. An app reads its widget list about once per install or update, so it can use the
    /// response for its device for long. Caches can keep the general response for less time, so that a decision soon reaches
    /// everyone, and a stale response for the least.
    static let maximumAge = (device: Int64(3_600), general: Int64(300), stale: Int64(60))

    private let store: Store
    private let admission: Admission
    private let secret: Secret
    private let patience: Duration
    private let decisionsKeptFor: Duration
    private let metrics: IngestMetrics
    private let now: @Sendable () -> Timestamp
    private let memory = Mutex(GalleryMemory())

    init(
        store: Store, admission: Admission, secret: Secret, patience: Duration, decisionsKeptFor: Duration,
        metrics: IngestMetrics,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.admission = admission
        self.secret = secret
        self.patience = patience
        self.decisionsKeptFor = decisionsKeptFor
        self.metrics = metrics
        self.now = now
    }

    func respond(to request: Request, from visitor: Visitor) async throws -> Response {
        let id = request.headers[.censusDevice]
        if let id, id.unicodeScalars.contains("\u{FFFD}") { try RawID.check(id) }
        let device = id.map { secret.device($0, app: visitor.key.appID) }
        let answer: Answer
        do throws(StoreError) {
            answer = try await self.answer(to: device, of: visitor)
        } catch {
            throw Problem(error)
        }
        // The tag depends on the device, too, so that no cache serves one device's response to another, even if both are equal.
        let body = answer.json.buffer
        let tagged = Array(body.readableBytesView) + (device.map { Array("\($0)".utf8) } ?? [])
        let tag = "\"\(SHA256.hash(data: tagged).prefix(16).hexadecimal)\""
        // A stale response has no `Age`, because caches would count it against `max-age`. (`Warning` is obsolete: RFC 9111.)
        let headers: Headers = [
            .cacheControl: "\(device == nil ? "public" : "private"), max-age=\(answer.maximumAge)",
            .eTag: tag,
            .vary: "Authorization, Census-Device",
            .contentType: "application/json",
        ]
        if request.knows(tag) { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: body)
    }

    private func answer(to device: Pseudonym?, of visitor: Visitor) async throws(StoreError) -> Answer {
        let key = visitor.key
        let end = ContinuousClock.now + patience
        let decisions: GalleryMemory.Decisions
        do throws(StoreError) {
            decisions = try await readDecisions(of: key.caps.appNumber, for: visitor.hash, until: end)
        } catch {
            guard error.isStoreAway, let known = memory.withLock({ $0.decisions(of: key.caps.appNumber) }) else {
                throw error
            }
            if device != nil { return unsure(known) }
            guard known.isGood(at: .now) else { throw error }
            metrics.countStaleGallery(.general)
            return .general(known, isStale: true)
        }
        guard let device else { return .general(decisions, isStale: false) }
        do throws(StoreError) {
            let policy = try await readPolicy(
                of: device, for: visitor.hash, fold: decisions.gallery.fold, until: end)
            return .device(policy, decisions, now: now())
        } catch {
            guard error.isStoreAway else { throw error }
            return unsure(decisions)
        }
    }

    private func unsure(_ decisions: GalleryMemory.Decisions) -> Answer {
        metrics.countStaleGallery(.device)
        return .unsure(decisions)
    }

    private func readDecisions(
        of appNumber: Int32, for key: KeyHash, until end: ContinuousClock.Instant
    ) async throws(StoreError) -> GalleryMemory.Decisions {
        let (begun, at) = (ContinuousClock.now, now())
        let known = memory.withLock { $0.decisions(of: appNumber) }
        if let known, begun < known.begun + decisionsKeptFor { return known }
        let gallery = try await ask(\.decisionsOutage, for: key) { [store] () throws(StoreError) in
            try await store.within(end - .now) { store in
                try await store.kinds.ofGallery(appNumber: appNumber, known: known?.gallery)
            }
        }
        let decisions = GalleryMemory.Decisions(gallery: gallery, readAt: at, begun: begun)
        memory.withLock { $0.keep(decisions, of: appNumber) }
        return decisions
    }

    private func readPolicy(
        of device: Pseudonym, for key: KeyHash, fold: DeviceFold, until end: ContinuousClock.Instant
    ) async throws(StoreError) -> DeviceGalleryPolicy {
        // From all committed observations, reconciled or not.
        let state = try await ask(\.devicesOutage, for: key) { [store] () throws(StoreError) in
            try await store.devices.state(of: device, fold: fold, deadline: end - .now)
        }
        return DeviceGalleryPolicy(state, window: fold.window, now: now())
    }

    /// Queries the store in the key's turn, unless the store was unavailable a moment ago.
    private func ask<T: Sendable>(
        _ outage: any WritableKeyPath<GalleryMemory, Outage> & Sendable, for key: KeyHash,
        _ question: () async throws(StoreError) -> T
    ) async throws(StoreError) -> T {
        guard memory.withLock({ $0[keyPath: outage].mayAsk(at: .now) }) else {
            throw StoreError(.away, "the store didn't answer a moment ago")
        }
        do throws(StoreError) {
            if let answer = try await admission.ask(.gallery, for: key, question) {
                memory.withLock { $0[keyPath: outage].answered() }
                return answer
            }
        } catch {
            if error.isStoreAway { memory.withLock { $0[keyPath: outage].failed(at: .now) } }
            throw error
        }
        throw StoreError(.away, "too many requests are waiting for the store")
    }

    fileprivate struct Answer {
        var json = JSONObject()
        /// In seconds.
        var maximumAge: Int64
    }
}

extension GalleryPolicyEndpoint.Answer {
    /// The general response, without a device.
    fileprivate static func general(_ decisions: GalleryMemory.Decisions, isStale: Bool) -> Self {
        var answer = Self(
            maximumAge: isStale
                ? GalleryPolicyEndpoint.maximumAge.stale : GalleryPolicyEndpoint.maximumAge.general)
        var answers = JSONObject()
        for kind in decisions.gallery.kinds { answers.add(key: kind.kind, GalleryAnswer(kind.lifecycle).rawValue) }
        answer.json.add("version", decisions.gallery.version)
        answer.json.add("kinds", answers)
        if isStale { answer.markStale(decisions) }
        return answer
    }

    /// The response for a device whose data could not be read. It says `show` for every kind, whatever an earlier response
    /// said, because another node might have stored newer reports since.
    fileprivate static func unsure(_ decisions: GalleryMemory.Decisions) -> Self {
        var answer = Self(maximumAge: GalleryPolicyEndpoint.maximumAge.stale)
        let reason = GalleryReason.policyStale
        var (answers, reasons) = (JSONObject(), JSONObject())
        for kind in decisions.gallery.kinds {
            answers.add(key: kind.kind, reason.answer.rawValue)
            reasons.add(key: kind.kind, reason.rawValue)
        }
        answer.json.add("version", decisions.gallery.version)
        answer.json.add("kinds", answers)
        answer.json.add("reasons", reasons)
        answer.markStale(decisions)
        return answer
    }

    fileprivate static func device(
        _ policy: DeviceGalleryPolicy, _ decisions: GalleryMemory.Decisions, now: Timestamp
    ) -> Self {
        var answer = Self(maximumAge: GalleryPolicyEndpoint.maximumAge.device)
        var (answers, reasons) = (JSONObject(), JSONObject())
        for kind in decisions.gallery.kinds {
            let reason = policy.reason(kind: kind.kind, lifecycle: kind.lifecycle)
            answers.add(key: kind.kind, (reason?.answer ?? .show).rawValue)
            if let reason { reasons.add(key: kind.kind, reason.rawValue) }
        }
        answer.json.add("version", decisions.gallery.version)
        answer.json.add("kinds", answers)
        answer.json.add("reasons", reasons)
        if let report = policy.report {
            var reference = JSONObject()
            reference.add("id", report.id)
            reference.add("at", report.at.description)
            answer.json.add("report", reference)
        }
        if let validUntil = policy.validUntil, validUntil > now {
            answer.json.add("valid_until", validUntil.description)
            answer.maximumAge = min(answer.maximumAge, (validUntil - now).components.seconds)
        }
        return answer
    }

    private mutating func markStale(_ decisions: GalleryMemory.Decisions) {
        json.add("stale", true)
        json.add("read_at", decisions.readAt.description)
    }
}

extension Request {
    /// Whether the client already has the response, by RFC 9110's weak comparison, because proxies that compress make tags
    /// weak.
    fileprivate func knows(_ tag: String) -> Bool {
        headers[values: .ifNoneMatch].contains { field in
            field.split(separator: ",").contains { part in
                let known = part.filter { $0 != " " && $0 != "\t" }
                return known == "*" || known == tag || known == "W/" + tag
            }
        }
    }
}
