package import CensusCore
internal import Postgres

extension DeviceStore {
    /// The state of one device after every committed observation, reconciled or not. Empty when the device is not known, or
    /// when an observation or the state from earlier ones can't be read.
    ///
    /// A phone waits for the answer, so it takes two seconds at most.
    package func state(of device: Pseudonym, fold: DeviceFold) async throws(StoreError) -> DeviceState {
        return try await StoreError.wrapping {
            let deadline: Duration = .seconds(2)
            // One statement: between two, the reconciler could take from the queue what it has yet to store.
            guard
                let row = try await database.query(SQL.`DeviceStore.newest`, [device], deadline: deadline).first
            else { return DeviceState() }
            // It would take longer than anybody waits.
            guard try !row.decode("is_implausible", as: Bool.self) else { return DeviceState() }
            var after = Timestamp.distantPast
            var from = Timestamp.distantPast
            var state = DeviceState()
            let earliest = try row.decode("earliest_at", as: Timestamp?.self)
            if let through = try row.decode("folded_through", as: Timestamp?.self),
                earliest.map({ $0 > through }) ?? true,
                let bytes = try row.decode("checkpoint", as: ByteArray?.self)?.bytes,
                try !row.decode("is_from_start", as: Bool.self),
                let known = fold.state(checkpoint: bytes)
            {
                guard earliest != nil else { return known }
                state = known
                after = through
                from = try row.decode("occurred_from", as: Timestamp?.self) ?? .distantPast
            } else {
                let stored = try StoredDevice(past: row)
                // Unreadable counts as unknown: a guess would be worse.
                guard let past = try? fold.past(of: stored) else { return DeviceState() }
                state = past
                after = stored.base?.foldedThrough ?? .distantPast
            }
            let range = ObservationRange(devices: [device], occurredFrom: from, after: after)
            var place: ObservationPage.Place? = .init()
            let end = ContinuousClock.now + deadline
            while let next = place {
                let page = try await database.observationPage(
                    range, from: next, room: room, deadline: end - .now)
                // Unreadable counts as unknown: a guess would be worse.
                guard page.failures[device] == nil else { return DeviceState() }
                state = fold.fold(page.byDevice[device] ?? [], onto: state)
                place = page.next
            }
            return state
        }
    }
}
