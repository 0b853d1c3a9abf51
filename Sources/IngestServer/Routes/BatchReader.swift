internal import CensusCore
internal import CensusStore
internal import HTTPTypes

/// A batch that is ready to be committed, and what to answer then. The body it was made from is gone.
struct ReadBatch {
    var parcel: Parcel
    var accepted: Int
    /// Without the bytes that were sent: the parcel holds those that are kept.
    var refused: [RefusedEvent]
}

/// Makes a parcel of a body: inflate, decode, check whose it is, let its names in.
///
/// A light body is decoded at once, in a few milliseconds; a heavy one in its turn, on another thread.
struct BatchReader: Sendable {
    let limits: Limits
    let retention: RetentionWatch
    let limiter: RateLimiter
    let line: HeavyLine
    let room: RoomLimits
    let names: NameGate
    /// Where there is a spool.
    let takeover: Takeover?
    let secret: Secret
    /// For the store to read and write names.
    let patience: Duration

    /// - Parameter claim: the memory reserved for the body; in the end it is as large as the parcel.
    func read(
        _ body: SentBody, of visitor: Visitor, received: Timestamp, _ claim: BodyRoom.Claim
    ) async throws -> ReadBatch {
        let inflater: Inflater?
        let isWhole: Bool
        do throws(Inflater.Failure) {
            inflater = body.isCompressed ? try Inflater(body.bytes, limit: limits.inflatedBytes) : nil
            // Only as far as that is little work: how large it becomes is not known beforehand.
            isWhole = try inflater?.run(upTo: room.lightBytes) ?? true
        } catch {
            limiter.charge(visitor.hash, bytes: room.lightBytes)
            throw Problem(error)
        }
        let size = inflater?.output.count ?? body.bytes.count
        let batch: ReadBatch
        if isWhole, size <= room.lightBytes {
            // Before it is decoded, whatever it turns out to be.
            limiter.charge(visitor.hash, bytes: size)
            try claim.resize(to: body.bytes.count + room.decodedFactor * size)
            batch = try await decode(inflater?.output ?? body.bytes, visitor, received)
        } else {
            let most = isWhole ? size : limits.inflatedBytes
            batch = try await line.run(visitor.hash, bytes: most) { shrink in
                // Earlier bodies may have used up the key's rate. This one is charged afterwards: one that is larger than
                // the whole bucket must get through at some time.
                try limiter.check(visitor.hash)
                let bytes = try whole(body, inflater, visitor)
                shrink(bytes.count)
                return try await decode(bytes, visitor, received)
            }
        }
        try claim.resize(to: batch.parcel.byteCount)
        return batch
    }

    private func whole(_ body: SentBody, _ inflater: Inflater?, _ visitor: Visitor) throws -> [UInt8] {
        // Also for one that turns out to be broken or too large: the work was done.
        defer { limiter.charge(visitor.hash, bytes: inflater?.inflatedBytes ?? body.bytes.count) }
        guard let inflater else { return body.bytes }
        do throws(Inflater.Failure) {
            _ = try inflater.run(upTo: .max)
        } catch {
            throw Problem(error)
        }
        return inflater.takeOutput()
    }

    private func decode(_ body: [UInt8], _ visitor: Visitor, _ received: Timestamp) async throws -> ReadBatch {
        let key = visitor.key
        var batch: Batch
        do throws(EnvelopeError) {
            batch = try decoder(at: received).decode(body, received: received)
        } catch {
            throw Problem(error)
        }
        limiter.charge(visitor.hash, events: batch.weight)
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
        var refused: [RefusedEvent] = []
        for case .failure(var event) in batch.events {
            event.source = []
            refused.append(event)
        }
        return ReadBatch(
            parcel: Parcel(
                batch, names: unwritten, appNumber: key.caps.appNumber, secret: secret, received: received),
            accepted: batch.events.count - refused.count, refused: refused)
    }

    private func decoder(at received: Timestamp) -> BatchDecoder {
        var limits = limits
        limits.retention = retention.accepted(at: received)
        return BatchDecoder(limits: limits)
    }

    /// - Returns: the batch, and the names that must travel with it when the store is away and the spool takes over.
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
}

extension Batch {
    /// Its cost against the key's rate: for each event the widgets that it lists, and at least one.
    fileprivate var weight: Int {
        events.reduce(0) { sum, event in
            switch event {
            case .success(let event): sum + max(event.event.listed, 1)
            case .failure: sum + 1
            }
        }
    }
}
