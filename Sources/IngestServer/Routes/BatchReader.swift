internal import CensusCore
internal import CensusStore
internal import HTTPTypes

/// A batch that is ready to be committed, and what to answer afterwards. The body it was made from is gone.
struct ReadBatch {
    var rows: BatchRows
    var accepted: Int
    /// Without the bytes that were sent: the rows hold those that are kept.
    var refused: [RefusedEvent]
    var warnings: [BatchWarning]
}

/// Makes rows of a body: inflate, decode, check whose it is, let its names in.
///
/// A light body is decoded at once, in a few milliseconds; a heavy one in its turn, on another thread.
struct BatchReader: Sendable {
    var limits: Limits
    let retention: StoreWatch<Retention>
    let limiter: RateLimiter
    let admission: Admission
    let names: NameLimiter
    let declarations: StoreWatch<[Int32: DeclaredKinds]>
    /// Only if there is a spool.
    let failover: Failover?
    let secret: Secret
    /// For the store to read and write names.
    let patience: Duration

    /// - Parameters:
    ///   - reservation: the memory reserved for the body; in the end it is as large as the batch.
    ///   - keeps: if false, nothing is stored.
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

    /// The same for what ``readAtOnce(_:of:received:_:)`` has decoded and charged.
    func read(
        _ batch: (content: Batch, received: Timestamp), of visitor: Visitor, _ reservation: Admission.Reservation
    ) async throws -> ReadBatch {
        let read = try await named(batch.content, visitor, batch.received, keeps: true)
        try reservation.resize(to: read.rows.byteCount)
        return read
    }

    enum AtOnce {
        case read(ReadBatch)
        /// It takes a turn or the store. With what was decoded, unless that takes the turn.
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
    /// - Parameter sender: whose rate pays for it, and whose turn it is.
    func open<T>(
        _ body: SentBody, of sender: KeyHash, _ reservation: Admission.Reservation, decode: ([UInt8]) async throws -> T
    ) async throws -> T {
        let inflater: Inflater?
        let isWhole: Bool
        // Members of nothing take work, and become no larger.
        let isSmall = body.bytes.count <= admission.limits.lightBytes
        do throws(Inflater.Failure) {
            inflater = body.isCompressed ? try Inflater(body.bytes, limit: limits.inflatedBytes) : nil
            // Only while that is little work: how large it becomes is not known beforehand.
            isWhole = try isSmall ? inflater?.run(upTo: admission.limits.lightBytes) ?? true : inflater == nil
        } catch {
            limiter.charge(sender, bytes: admission.limits.lightBytes)
            throw Problem(error)
        }
        let size = inflater?.output.count ?? body.bytes.count
        if isWhole, size <= admission.limits.lightBytes {
            // Before it is decoded, whatever it turns out to be.
            charge(sender, bytes: size)
            try reservation.resize(to: body.bytes.count + admission.limits.decodedFactor * size)
            return try await decode(inflater?.output ?? body.bytes)
        }
        return try await admission.decode(for: sender, bytes: isWhole ? size : limits.inflatedBytes) { shrink in
            // Earlier bodies may have used up the key's rate. This one is charged afterwards: one that is larger than the
            // whole bucket must get through some time.
            try limiter.check(sender)
            let bytes = try whole(body, inflater, sender)
            shrink(bytes.count)
            return try await decode(bytes)
        }
    }

    private func whole(_ body: SentBody, _ inflater: Inflater?, _ sender: KeyHash) throws -> [UInt8] {
        // Also for one that turns out to be broken or too large: the work was done.
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

    /// How long one batch may take to be read. 8 MiB take a tenth of it.
    private static let turn: Duration = .seconds(2)

    /// What a byte of a light body takes to be read (Benchmarks/ingest/beside).
    private static let timeOfByte: Duration = .nanoseconds(15)

    /// Reads a batch, at the cost of the key's share of the processor.
    private func batch(_ body: [UInt8], of key: KeyHash, _ received: Timestamp) throws(EnvelopeError) -> Batch {
        guard body.count > admission.limits.lightBytes else {
            // Estimated: to read a thread's clock is a call of the system, and takes a tenth of the time that a report does.
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
    ///   - translate: tells what is wrong with it in the sender's words.
    func decode(
        _ body: [UInt8], _ visitor: Visitor, _ received: Timestamp, _ keeps: Bool,
        translate: (inout Batch) -> Void = { _ in }
    ) async throws -> ReadBatch {
        try await named(try decoded(body, visitor, received), visitor, received, keeps: keeps, translate: translate)
    }

    /// Lets a batch's names in.
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

    /// Decodes a body, and checks whose it is.
    private func decoded(_ body: [UInt8], _ visitor: Visitor, _ received: Timestamp) throws -> Batch {
        let key = visitor.key
        var batch: Batch
        do throws(EnvelopeError) {
            batch = try self.batch(body, of: visitor.hash, received)
        } catch {
            // RFC 1952, 2.3.1.
            guard body.starts(with: [0x1F, 0x8B]) else { throw Problem(error) }
            throw Problem(
                .badRequest, error.code, "the body is gzip, and no header says so: send `Content-Encoding: gzip`")
        }
        limiter.charge(visitor.hash, events: batch.weight)
        // By bytes: ids that only look alike are hashed to different devices.
        guard batch.appID.utf8.elementsEqual(key.appID.utf8) else {
            throw Problem(
                .forbidden, "wrong_app",
                "this key belongs to another app than the batch: send the key that `keys add --app` made for that one",
                pointer: "/app/id")
        }
        if let channel = key.channel { batch.take(channel) }
        return batch
    }

    /// A batch in which every event is refused: what is wrong with it is kept, and nothing else.
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

    /// - Returns: the batch, and the names that must travel with it when the store is away and the spool takes over.
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
    /// The key says which channel it belongs to.
    fileprivate mutating func take(_ channel: String) {
        circumstances.channel = channel
        warnings.removeAll { $0.code == .channel }
    }

    /// What it costs of the key's rate: for each event the number of widgets that it lists, and at least one.
    fileprivate var weight: Int {
        events.reduce(0) { sum, event in
            switch event {
            case .success(let event): sum + max(event.event.listed, 1)
            case .failure: sum + 1
            }
        }
    }
}
