internal import CensusCore
internal import CensusStore
internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// `GET /v1/gallery-policy`: which kinds an app may offer in the widget gallery, in general or on one device.
struct GalleryPolicyEndpoint: Sendable {
    /// How long an app may go by an answer, in seconds; it reads its widget list about once per install or update.
    static let maximumAge = 3_600

    let store: Store
    let secret: Secret
    let patience: Duration
    let now: @Sendable () -> Timestamp

    func respond(to request: Request, from visitor: Visitor) async throws -> Response {
        let device = request.headers[.censusDevice]
        let buffer: ByteBuffer
        do throws(StoreError) {
            buffer = try await store.within(patience) { _ in try await policy(key: visitor.key, device: device) }
        } catch {
            throw Problem(error)
        }
        let digest = SHA256.hash(data: Array(buffer.readableBytesView)).prefix(16)
        let tag = "\"\(digest.hexadecimal)\""
        let headers: HTTPFields = [
            .cacheControl: "\(device == nil ? "public" : "private"), max-age=\(GalleryPolicyEndpoint.maximumAge)",
            .eTag: tag,
            .vary: "Authorization, Census-Device",
            .contentType: "application/json",
        ]
        if request.knows(tag) { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: buffer))
    }

    private func policy(key: KeyRecord, device: String?) async throws(StoreError) -> ByteBuffer {
        let (version, kinds) = try await store.kinds.ofGallery(appNumber: key.caps.appNumber)
        var json = JSONObject()
        json.add("version", version)
        var answers = JSONObject()
        guard let device else {
            for kind in kinds { answers.add(key: kind.kind, GalleryAnswer(kind.lifecycle).rawValue) }
            json.add("kinds", answers)
            return json.buffer
        }
        let fold = try await store.apps.app(key.appID).fold
        // Every committed report counts, reconciled or not.
        let state = try await store.devices.state(of: secret.device(device, app: key.appID), fold: fold)
        let policy = DeviceGalleryPolicy(state, window: fold.window, now: now())
        for kind in kinds {
            answers.add(key: kind.kind, policy.answer(kind: kind.kind, lifecycle: kind.lifecycle).rawValue)
        }
        json.add("kinds", answers)
        if let report = policy.report {
            var reference = JSONObject()
            reference.add("id", report.id)
            reference.add("at", report.at.description)
            json.add("report", reference)
        }
        return json.buffer
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
