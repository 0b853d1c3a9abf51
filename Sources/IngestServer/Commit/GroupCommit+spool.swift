internal import CensusStore

extension GroupCommit {
    /// In one transaction of the spool: what it copies while it writes.
    private static let spooledBytes = 8 << 20

    /// To the spool, where there is one, else to their senders.
    func turnAway(_ group: some Sequence<WaitingParcel>, _ error: StoreError) {
        if takeover != nil, error.isStoreAway { return handOver(group) }
        for waiting in group { waiting.answer(.failure(error)) }
    }

    func handOver(_ group: some Sequence<WaitingParcel>) {
        for waiting in group where !waiting.isAnswered && !waiting.isHandedOver {
            waiting.isHandedOver = true
            handedOver.append(waiting)
            queuedBytes += waiting.parcel.byteCount
        }
        guard !isSpooling, !handedOver.isEmpty, let takeover else { return }
        isSpooling = true
        Task { await self.spool(takeover) }
    }

    /// While one group is being synced the next one gathers.
    private func spool(_ takeover: Takeover) async {
        while !handedOver.isEmpty {
            var (end, bytes) = (0, 0)
            while end < handedOver.count, end == 0 || bytes < GroupCommit.spooledBytes {
                bytes += handedOver[end].parcel.byteCount
                end += 1
            }
            let group = handedOver[..<end]
            handedOver.removeFirst(end)
            let taken = await takeover.keep(group.map(\.parcel))
            queuedBytes -= bytes
            for (waiting, isTaken) in zip(group, taken) {
                waiting.answer(isTaken ? .success(()) : .failure(GroupCommit.notSpooled))
            }
        }
        isSpooling = false
    }

    private static let notSpooled = StoreError(.away, "the store is away, and the spool takes no more")
}
