internal import CensusCore
internal import CensusStore
internal import HTTPTypes

/// A batch that is ready to be committed, and the contents of the response. It no longer holds the body.
struct ReadBatch {
    var rows: BatchRows
    var accepted: Int
    /// Without the bytes that were sent: ``rows`` holds those that are stored.
    var refused: [RefusedEvent]
    var warnings: [BatchWarning]
}

/// Turns a body into rows: inflates and decodes it, checks its app against the key, and admits its names.
///
/// A light body is decoded at once, in a few milliseconds; a heavy one in its key's turn, on another thread.
struct BatchReader: Sendable {
    var limits: Limits
    let retention: StoreWatch<Retention>
    let limiter: RateLimiter
    let admission: Admission
    let names: NameLimiter
    let declarations: StoreWatch<[Int32: DeclaredKinds]>
    /// Nil without a spool.
    let failover: Failover?
    let secret: Secret
    /// For reading and writing names in the store.
    let patience: Duration

    /// - Parameters:
    ///   - reservation: the memory reserved for the body; on return it is as large as the batch.
    ///   - keeps: if false, new names are checked but not stored.
    func read(
        _ body: SentBody, of visitor: Visitor, received: Timestamp, _ reservation: Admission.Reservation,
        keeps: Bool = true
    ) async throws -> ReadBatch {
        let batch = try await open(body, of: visitor.hash, reservation) {
            try await decode($0, visitor, received, keeps)
        }
        try reservation.resize(to: batch.rows.byteCount)
        return batch
    }

    /// The same for a batch that ``readAtOnce(_:of:received:_:)`` has decoded and charged.
    func read(
        _ batch: (content: Batch, received: Timestamp), of visitor: Visitor, _ reservation: Admission.Reservation
    ) async throws -> ReadBatch {
        let read = try await named(batch.content, visitor, batch.received, keeps: true)
        try reservation.resize(to: read.rows.byteCount)
        return read
    }

    enum AtOnce {
        case read(ReadBatch)
        /// It needs a turn or the store. With the decoded batch, unless decoding needs the turn.
        case unread((content: Batch, received: Timestamp)?)
    }

    /// The same for a body that needs neither a turn nor the store.
    func readAtOnce(
        _ body: SentBody, of visitor: Visitor, received: Timestamp, _ reservation: Admission.Reservation
    ) throws -> AtOnce {
        guard failover?.isOn != true else { return .unread(nil) }
        var bytes = body.bytes
        if body.isCompressed {
            do throws(Inflater.Failure) {
                let inflater = try Inflater(bytes, limit: limits.inflatedBytes)
                guard try inflater.run(upTo: admission.limits.lightBytes),
                    inflater.output.count <= admission.limits.lightBytes
                else { return .unread(nil) }
                bytes = inflater.takeOutput()
            } catch {
                limiter.charge(visitor.hash, bytes: admission.limits.lightBytes)
                throw Problem(error)
            }
        }
        try reservation.resize(to: body.bytes.count + admission.limits.decodedFactor * bytes.count)
        charge(visitor.hash, bytes: bytes.count)
        let batch = try decoded(bytes, visitor, received)
        guard names.knowsAll(of: batch, appNumber: visitor.key.caps.appNumber) else {
            return .unread((batch, received))
        }
        let read = packed(batch, names: KnownNames(), visitor, received)
        reservation.shrink(to: read.rows.byteCount)
        return .read(read)
    }

    /// Inflates a body and passes it on: a light one at once, a heavy one in its turn.
    ///
    /// - Parameter sender: the key whose rate is charged and whose turn it takes.
    func open<T>(
        _ body: SentBody, of sender: KeyHash, _ reservation: Admission.Reservation, decode: ([UInt8]) async throws -> T
    ) async throws -> T {
        let inflater: Inflater?
        let isWhole: Bool
        // A large body can consist of empty gzip members, which take time and inflate to nothing.
        let isSmall = body.bytes.count <= admission.limits.lightBytes
        do throws(Inflater.Failure) {
            inflater = body.isCompressed ? try Inflater(body.bytes, limit: limits.inflatedBytes) : nil
            // Up to the limit of a light body: the inflated size is not known beforehand.
            isWhole = try isSmall ? inflater?.run(upTo: admission.limits.lightBytes) ?? true : inflater == nil
        } catch {
            limiter.charge(sender, bytes: admission.limits.lightBytes)
            throw Problem(error)
        }
        let size = inflater?.output.count ?? body.bytes.count
        if isWhole, size <= admission.limits.lightBytes {
            // Charge before decoding, so that invalid bodies are charged, too.
            charge(sender, bytes: size)
            try reservation.resize(to: body.bytes.count + admission.limits.decodedFactor * size)
            return try await decode(inflater?.output ?? body.bytes)
        }
        return try await admission.decode(for: sender, bytes: isWhole ? size : limits.inflatedBytes) { shrink in
            // Earlier bodies might have used up the key's rate since. This one is charged afterwards, so that one larger than
            // the whole bucket gets through, too.
            try limiter.check(sender)
            let bytes = try whole(body, inflater, sender)
            shrink(bytes.count)
            return try await decode(bytes)
        }
    }

    private func whole(_ body: SentBody, _ inflater: Inflater?, _ sender: KeyHash) throws -> [UInt8] {
        // Broken and too large bodies are charged, too, for the work that was done.
        defer { charge(sender, bytes: max(inflater?.inflatedBytes ?? 0, body.bytes.count)) }
        guard let inflater else { return body.bytes }
        do throws(Inflater.Failure) {
            _ = try inflater.run(upTo: .max)
        } catch {
            throw Problem(error)
        }
        return inflater.takeOutput()
    }

    private func charge(_ sender: KeyHash, bytes: Int) {
        limiter.charge(sender, bytes: bytes)
        admission.usage.add(sender, bytes: bytes)
    }

    /// The most processor time for decoding one batch. 8 MiB take a tenth of it.
    private static let turn: Duration = .seconds(2)

    /// The time for decoding a byte of a light body (Benchmarks/ingest/beside).
    private static let timeOfByte: Duration = .nanoseconds(15)

    /// Decodes a batch, and charges the processor time to the key.
    private func batch(_ body: [UInt8], of key: KeyHash, _ received: Timestamp) throws(EnvelopeError) -> Batch {
        guard body.count > admission.limits.lightBytes else {
            // An estimate: reading the thread's clock is a system call, which takes a tenth of the time of a report.
            admission.usage.add(key, processor: BatchReader.timeOfByte * body.count)
            return try decoder(at: received).decode(body, received: received) { false }
        }
        let time = ProcessorTime()
        defer {
            let used = time.used
            admission.usage.add(key, processor: used)
            limiter.charge(key, processor: used)
        }
        return try decoder(at: received).decode(body, received: received) { time.used > BatchReader.turn }
    }

    /// - Parameters:
    ///   - body: inflated.
    ///   - translate: replaces our field names in refusals and warnings by the sender's.
    func decode(
        _ body: [UInt8], _ visitor: Visitor, _ received: Timestamp, _ keeps: Bool,
        translate: (inout Batch) -> Void = { _ in }
    ) async throws -> ReadBatch {
        try await named(try decoded(body, visitor, received), visitor, received, keeps: keeps, translate: translate)
    }

    /// Admits a batch's names within the app's caps.
    private func named(
        _ batch: Batch, _ visitor: Visitor, _ received: Timestamp, keeps: Bool,
        translate: (inout Batch) -> Void = { _ in }
    ) async throws -> ReadBatch {
        let key = visitor.key
        var batch = batch
        var unwritten = KnownNames()
        if keeps {
            do throws(StoreError) {
                (batch, unwritten) = try await admit(batch, key.caps)
            } catch {
                throw Problem(error)
            }
        } else {
            batch = await names.preview(batch, caps: key.caps)
        }
        translate(&batch)
        return packed(batch, names: unwritten, visitor, received)
    }

    /// Decodes a body, and checks that its app is the key's.
    private func decoded(_ body: [UInt8], _ visitor: Visitor, _ received: Timestamp) throws -> Batch {
        let key = visitor.key
        var batch: Batch
        do throws(EnvelopeError) {
            batch = try self.batch(body, of: visitor.hash, received)
        } catch {
            // The magic number of gzip (RFC 1952, 2.3.1).
            guard body.starts(with: [0x1F, 0x8B]) else { throw Problem(error) }
            throw Problem(
                .badRequest, error.code, "the body is gzip, but no header says so; send `Content-Encoding: gzip`")
        }
        limiter.charge(visitor.hash, events: batch.weight)
        // By bytes: devices are hashed with the bytes of the app's id, so canonical equivalence isn't enough.
        guard batch.appID.utf8.elementsEqual(key.appID.utf8) else {
            throw Problem(
                .forbidden, "wrong_app",
                "this key is for another app than the batch; use a key that `widget-census keys add --app` made for that app",
                pointer: "/app/id")
        }
        if let channel = key.channel { batch.take(channel) }
        return batch
    }

    /// A batch in which every event is refused: only the refusals are stored.
    func refused(_ batch: Batch, _ visitor: Visitor, _ received: Timestamp) -> ReadBatch {
        limiter.charge(visitor.hash, events: batch.weight)
        return packed(batch, names: KnownNames(), visitor, received)
    }

    private func packed(
        _ batch: Batch, names: KnownNames, _ visitor: Visitor, _ received: Timestamp
    ) -> ReadBatch {
        let caps = visitor.key.caps
        var refused: [RefusedEvent] = []
        for case .failure(var event) in batch.events {
            event.source = []
            refused.append(event)
        }
        return ReadBatch(
            rows: BatchRows(
                batch, names: names, appNumber: caps.appNumber, secret: secret, received: received),
            accepted: batch.events.count - refused.count, refused: refused,
            warnings: batch.warnings + declarations.warnings(of: batch, appNumber: caps.appNumber))
    }

    private func decoder(at received: Timestamp) -> BatchDecoder {
        var limits = limits
        limits.retention = retention.value.accepted(at: received)
        return BatchDecoder(limits: limits)
    }

    /// - Returns: the batch, and the names to spool with it while the store is unavailable.
    private func admit(_ batch: Batch, _ caps: NameCaps) async throws(StoreError) -> (Batch, KnownNames) {
        if failover?.isOn != true {
            do throws(StoreError) {
                return (try await names.admit(batch, caps: caps, patience: patience), KnownNames())
            } catch {
                guard let failover, error.isStoreAway else { throw error }
                failover.begin(error)
            }
        }
        return await names.admitUnwritten(batch, caps: caps)
    }
}

extension Batch {
    /// Sets the key's channel, whatever the batch says.
    fileprivate mutating func take(_ channel: String) {
        circumstances.channel = channel
        warnings.removeAll { $0.code == .channel }
    }

    /// How many events it counts as in the key's rate: for each event the number of widgets that it lists, and at least one.
    fileprivate var weight: Int {
        events.reduce(0) { sum, event in
            switch event {
            case .success(let event): sum + max(event.event.listed, 1)
            case .failure: sum + 1
            }
        }
    }
}
