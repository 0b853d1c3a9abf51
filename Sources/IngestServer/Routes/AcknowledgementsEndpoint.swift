internal import CensusCore
internal import CensusStore
internal import Foundation
internal import HTTPTypes
internal import NIOCore
internal import Pages

/// `POST /v1/acknowledgements`: records what `widget-census preflight acknowledge` does, signed by the key's holder.
struct AcknowledgementsEndpoint: Sendable {
    let intake: ManifestIntake
    let reading: StoreReading
    /// For reading the devices and recording the act.
    let patience: Duration

    func respond(to request: Request, from visitor: Visitor) async throws -> Response {
        let entry = try Entry(request.query, of: visitor)
        guard !entry.hasNoManifest else {
            guard request.announced == .none else {
                throw Problem.invalidQuery("leave out the body: only a manifest's finding needs one")
            }
            return try await record(entry.step(on: nil, by: visitor), from: visitor)
        }
        return try await intake.read(request, from: visitor) { manifest, _ in
            try await record(entry.step(on: manifest, by: visitor), from: visitor)
        }
    }

    private func record(_ step: AcknowledgementStep, from visitor: Visitor) async throws -> Response {
        let outcome: AcknowledgementOutcome
        do {
            outcome = try await reading.ask(for: visitor.hash, within: patience) { store in
                let app = try await store.apps.app(visitor.key.appID)
                if case .dropping(let kind, _) = step.release, try await !store.kinds.knows(kind.text, of: app) {
                    throw Problem.unknownKind
                }
                return try await store.installedBase.take(step, app: app)
            }
        } catch let error as StoreError where error.fault == .request {
            throw Problem.unknownFamily(error)
        } catch let error as StoreError {
            throw Problem(error)
        }
        guard case .fingerprint(let fingerprint) = step.finding else { throw Problem.away }
        switch outcome {
        case .recorded(let change):
            return try response(AcknowledgedLoss(change, step, fingerprint: fingerprint), .created)
        case .unchanged(let change):
            return try response(AcknowledgedLoss(change, step, fingerprint: fingerprint), .ok)
        case .hindered(let hindrance):
            throw Problem(.conflict, hindrance.code, hindrance.sentence)
        }
    }

    private func response(_ loss: AcknowledgedLoss, _ status: HTTPResponse.Status) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var response = Response(unkept: ByteBuffer(bytes: try encoder.encode(loss)))
        response.status = status
        return response
    }

    /// What the query says.
    private struct Entry {
        private static let parameters = [
            "fingerprint", "max_loss", "until", "because", "drop", "family", "release", "app",
        ]

        var fingerprint: String
        var maximumLoss: Int
        var until: Day
        var reason: String
        var drop: ComingRelease?
        var release: String?

        /// A drop, or a withdrawal that needs none.
        var hasNoManifest: Bool { drop != nil || maximumLoss == 0 }

        /// - Throws: ``Problem``: 400, or 403 for another app.
        init(_ query: String?, of visitor: Visitor) throws {
            let fields = try FormFields(query: query, parameters: Entry.parameters)
            if let app = fields["app"], !app.hasBytes(of: visitor.key.appID) { throw Problem.wrongApp }
            guard let fingerprint = fields["fingerprint"], AcknowledgementRegistry.accepts(fingerprint: fingerprint)
            else { throw Problem.invalidQuery("fingerprint must be the 12 hexadecimal digits that preflight prints") }
            guard
                let devices = fields["max_loss"].flatMap({
                    $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int($0) : nil
                }),
                AppSettings.devices.contains(devices)
            else {
                throw Problem.invalidQuery("max_loss must be a whole number of devices; 0 withdraws an acknowledgement")
            }
            let today = ReportingZone.utc.day(of: .now)
            let days = AcknowledgementRegistry.days(from: today)
            let text = fields["until"]
            guard let until = text.map({ Day($0) }) ?? (devices == 0 ? today : nil), days.contains(until) else {
                throw Problem.invalidQuery("until must be a day from \(days.lowerBound) to \(days.upperBound)")
            }
            guard let reason = fields["because"], ActWords.acceptsReason(reason) else {
                throw Problem.invalidQuery("because must say why, in 1 to 1000 characters")
            }
            (self.fingerprint, maximumLoss, self.until, self.reason) = (fingerprint, devices, until, reason)
            release = fields["release"]
            drop = ComingRelease(dropping: fields["drop"], family: fields["family"])
            guard (drop == nil) == (release == nil) else {
                throw Problem.invalidQuery("drop and release, the version to be released, need each other")
            }
            guard drop != nil || fields["family"] == nil else { throw Problem.invalidQuery("family needs drop") }
            guard release != PreflightReport.versionPlaceholder else {
                throw Problem.invalidQuery("release must be the version to be released, in place of the word VERSION")
            }
            guard release?.unicodeScalars.count ?? 1 <= 200 else { throw Problem.invalidQuery("release is too long") }
        }

        func step(on manifest: Manifest?, by visitor: Visitor) -> AcknowledgementStep {
            AcknowledgementStep(
                .fingerprint(fingerprint), of: manifest.map { .manifest($0) } ?? drop,
                version: manifest?.appVersion ?? release ?? "", maximumLoss: maximumLoss, until: until,
                by: visitor.signature, because: reason)
        }
    }
}

extension AcknowledgementHindrance {
    fileprivate var code: String {
        switch self {
        case .unknownFinding: "unknown_finding"
        case .tooFew: "loss_too_large"
        case .wrongRelease: "wrong_release"
        case .notAcknowledged: "not_acknowledged"
        }
    }
}
