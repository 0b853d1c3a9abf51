internal import CensusCore
internal import CensusStore
internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// `GET /v1/gallery-policy`: which kinds an app may offer in the widget gallery, in general or on one device.
struct GalleryPolicyEndpoint: Sendable {
    /// How long an app may go by an answer for its device, in seconds; it reads its widget list about once per install or
    /// update. A shared cache may keep the general answer for less, so that a decision soon reaches all.
    static let maximumAge = (device: Int64(3_600), general: Int64(300))

    let store: Store
    let secret: Secret
    let patience: Duration
    let now: @Sendable () -> Timestamp

    func respond(to request: Request, from visitor: Visitor) async throws -> Response {
        let device = request.headers[.censusDevice]
        let pseudonym = device.map { secret.device($0, app: visitor.key.appID) }
        let answer: Answer
        do throws(StoreError) {
            answer = try await store.within(patience) { _ in try await policy(key: visitor.key, device: pseudonym) }
        } catch {
            throw Problem(error)
        }
        // Of the device, too: what one device has cached is never good for another, even where both are told the same.
        let tagged = Array(answer.body.readableBytesView) + (pseudonym.map { Array("\($0)".utf8) } ?? [])
        let tag = "\"\(SHA256.hash(data: tagged).prefix(16).hexadecimal)\""
        let headers: HTTPFields = [
            .cacheControl: "\(device == nil ? "public" : "private"), max-age=\(answer.maximumAge)",
            .eTag: tag,
            .vary: "Authorization, Census-Device",
            .contentType: "application/json",
        ]
        if request.knows(tag) { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: answer.body))
    }

    private struct Answer {
        var body: ByteBuffer
        /// In seconds.
        var maximumAge: Int64
    }

    private func policy(key: KeyRecord, device: Pseudonym?) async throws(StoreError) -> Answer {
        let (version, kinds) = try await store.kinds.ofGallery(appNumber: key.caps.appNumber)
        var json = JSONObject()
        json.add("version", version)
        var answers = JSONObject()
        guard let device else {
            for kind in kinds { answers.add(key: kind.kind, GalleryAnswer(kind.lifecycle).rawValue) }
            json.add("kinds", answers)
            return Answer(body: json.buffer, maximumAge: GalleryPolicyEndpoint.maximumAge.general)
        }
        let fold = try await store.apps.app(key.appID).fold
        // Every committed report counts, reconciled or not.
        let state = try await store.devices.state(of: device, fold: fold)
        let now = now()
        let policy = DeviceGalleryPolicy(state, window: fold.window, now: now)
        var reasons = JSONObject()
        for kind in kinds {
            let reason = policy.reason(kind: kind.kind, lifecycle: kind.lifecycle)
            answers.add(key: kind.kind, (reason?.answer ?? .show).rawValue)
            if let reason { reasons.add(key: kind.kind, reason.rawValue) }
        }
        json.add("kinds", answers)
        json.add("reasons", reasons)
        if let report = policy.report {
            var reference = JSONObject()
            reference.add("id", report.id)
            reference.add("at", report.at.description)
            json.add("report", reference)
        }
        var age = GalleryPolicyEndpoint.maximumAge.device
        if let validUntil = policy.validUntil, validUntil > now {
            json.add("valid_until", validUntil.description)
            age = min(age, (validUntil - now).components.seconds)
        }
        return Answer(body: json.buffer, maximumAge: age)
    }
}

extension Request {
    /// Whether the client has the answer already, by RFC 9110's weak comparison: proxies that compress make tags weak.
    fileprivate func knows(_ tag: String) -> Bool {
        headers[values: .ifNoneMatch].contains { field in
            field.split(separator: ",").contains { part in
                let known = part.filter { $0 != " " && $0 != "\t" }
                return known == "*" || known == tag || known == "W/" + tag
            }
        }
    }
}
