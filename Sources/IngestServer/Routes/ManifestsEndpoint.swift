internal import CensusCore
internal import CensusStore
internal import HTTPTypes

/// Reads the manifest in a request.
struct ManifestIntake: Sendable {
    let admission: Admission
    let reader: BodyReader

    /// - Returns: what `use` makes of the manifest and its bytes. Their memory is reserved meanwhile.
    /// - Throws: ``Problem`` if it is not a manifest of the key's app.
    func read<T: Sendable>(
        _ request: Request, from visitor: Visitor, _ use: (Manifest, [UInt8]) async throws -> T
    ) async throws -> T {
        guard request.isJSON else { throw Problem.notJSON }
        let reservation = admission.reservation(visitor.hash)
        defer { reservation.end() }
        let body: SentBody
        do {
            body = try await reader.read(request, reservation)
        } catch var problem as Problem where problem.status == .contentTooLarge {
            problem.message = "the manifest is larger than \(reader.limits.bodyBytes) bytes"
            throw problem
        }
        guard !body.isCompressed else {
            throw Problem(
                .unsupportedMediaType, "unsupported_encoding",
                "send the manifest uncompressed, without Content-Encoding")
        }
        // Windows editors begin files with this mark; RFC 8259 lets a parser ignore it.
        let bytes = Array(body.bytes.withoutByteOrderMark)
        let manifest = try await manifest(bytes, visitor, reservation)
        guard manifest.appID.hasBytes(of: visitor.key.appID) else {
            throw Problem(
                .forbidden, "wrong_app",
                "this key is for another app than the manifest; use a key that `widget-census keys add --app` made for that app",
                pointer: "/app/id")
        }
        return try await use(manifest, bytes)
    }

    /// Decodes a manifest; a large one waits its turn, as large batches do.
    private func manifest(
        _ bytes: [UInt8], _ visitor: Visitor, _ reservation: Admission.Reservation
    ) async throws -> Manifest {
        guard bytes.count > admission.limits.lightBytes else {
            try reservation.resize(to: bytes.count * (1 + admission.limits.decodedFactor))
            return try read(bytes)
        }
        return try await admission.decode(for: visitor.hash, bytes: bytes.count) { _ in try read(bytes) }
    }

    private func read(_ bytes: [UInt8]) throws -> Manifest {
        do throws(ManifestError) {
            return try ManifestReader.read(bytes)
        } catch {
            if let problem = error.problems.first, error.isMalformed {
                throw Problem(.badRequest, "invalid_json", problem.message, pointer: problem.pointer)
            }
            throw Problem(
                .unprocessableContent, "invalid_manifest", "the manifest is invalid; `problems` lists every error",
                pointer: error.problems.first?.pointer ?? "", problems: error.problems)
        }
    }
}

/// `POST /v1/manifests`: stores the manifest of a version, sent by its release pipeline.
struct ManifestsEndpoint: Sendable {
    let intake: ManifestIntake
    let store: Store
    let patience: Duration

    func respond(to request: Request, from visitor: Visitor) async throws -> Response {
        try await intake.read(request, from: visitor) { manifest, bytes in
            try answer(manifest, try await add(manifest, bytes, from: visitor))
        }
    }

    private func add(_ manifest: Manifest, _ bytes: [UInt8], from visitor: Visitor) async throws -> ManifestAddition {
        // The key's hash is not secret: nobody can compute 256 random bits from it.
        let actor = "release key \(visitor.hash.bytes.prefix(4).hexadecimal)"
        let addition: ManifestAddition?
        do throws(StoreError) {
            addition = try await intake.admission.ask(.manifests, for: visitor.hash) {
                [store, patience] () throws(StoreError) in
                try await store.within(patience) { store in
                    try await store.manifests.add(
                        manifest, source: bytes, by: actor, app: store.apps.app(visitor.key.appID))
                }
            }
        } catch {
            throw Problem(error)
        }
        guard let addition else { throw Problem.busy }
        return addition
    }

    private func answer(_ manifest: Manifest, _ addition: ManifestAddition) throws -> Response {
        if case .differs(let differences) = addition {
            throw Problem(
                .conflict, "other_manifest",
                "this version already has a different manifest, which can't be replaced; give the new version another "
                    + "number. `problems` lists the differences",
                problems: differences.map { ManifestProblem(pointer: "/kinds", message: $0) })
        }
        var json = JSONObject()
        json.add("app_version", manifest.appVersion)
        json.add("kinds", manifest.kinds.count)
        return Response(
            status: addition == .added ? .created : .ok, headers: [.contentType: "application/json"],
            body: json.buffer)
    }
}
