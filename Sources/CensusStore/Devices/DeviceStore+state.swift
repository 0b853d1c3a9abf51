package import CensusCore
internal import Postgres

extension DeviceStore {
    /// The state of one device after every committed observation, reconciled or not. Empty if the device is unknown, or if an
    /// observation or the state from earlier ones can't be read.
    ///
    /// - Parameter deadline: for all reads, because a phone waits for the answer.
    package func state(
        of device: Pseudonym, fold: DeviceFold, deadline: Duration = .seconds(2)
    ) async throws(StoreError) -> DeviceState {
        let end = ContinuousClock.now + deadline
        return try await StoreError.wrapping {
            // One statement: between two, the reconciler could take entries from the queue that it has not stored yet.
            guard
                let row = try await database.query(SQL.DeviceStore.newest, [device], deadline: end - .now).first
            else { return DeviceState() }
            // Folding it would take longer than a client waits.
            guard try !row["is_implausible"] else { return DeviceState() }
            var after = Timestamp.distantPast
            var from = Timestamp.distantPast
            var state = DeviceState()
            let earliest: Timestamp? = try row["earliest_at"]
            if let through: Timestamp = try row["folded_through"],
                earliest.map({ $0 > through }) ?? true,
                let bytes = try (row["checkpoint"] as ByteArray?)?.bytes,
                try !row["is_from_start"],
                let known = fold.state(checkpoint: bytes)
            {
                guard earliest != nil else { return known }
                state = known
                after = through
                from = try (row["occurred_from"] as Timestamp?) ?? .distantPast
            } else {
                // From the start, because the queue might have changed since.
                let stored = try await database.storedDevices([device], deadline: end - .now).stored[device]
                // Return unknown rather than a guess.
                guard let past = try? fold.past(of: stored) else { return DeviceState() }
                state = past
                after = stored?.base?.foldedThrough ?? .distantPast
            }
            let range = ObservationRange(devices: [device], occurredFrom: from, after: after)
            var place: ObservationPage.Place? = .init()
            while let next = place {
                let page = try await database.observationPage(
                    range, from: next, limits: limits, deadline: end - .now)
                // Return unknown rather than a guess.
                guard page.failures[device] == nil else { return DeviceState() }
                state = fold.fold(page.byDevice[device] ?? [], onto: state)
                place = page.next
            }
            return state
        }
    }
}
