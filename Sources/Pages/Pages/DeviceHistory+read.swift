package import CensusCore
package import CensusStore

extension DeviceHistory {
    /// Why there is nothing to show about a device.
    package enum Absence: Error, Equatable, CustomStringConvertible {
        case forgotten
        case neverHeard(app: String)

        /// One sentence without its full stop, or two.
        package var description: String {
            switch self {
            case .forgotten:
                "that device was erased on request. The server answers 202 to what it still sends and drops it, for as "
                    + "long as observations are kept"
            case .neverHeard(let app):
                "no events from that device are stored under \(app). Is this the id that the app sends, and is "
                    + "`CENSUS_SECRET` the secret that hashed it?"
            }
        }

        /// The sentence for a page.
        var sentence: String {
            description.capitalizingFirst + (description.hasSuffix("?") ? "" : ".")
        }
    }

    /// Explains a device from everything that is committed about it.
    package static func explanation(
        of device: Pseudonym, app: App, in store: Store
    ) async throws(StoreError) -> Result<Explanation, Absence> {
        let observations = try await store.devices.observations(of: device)
        let base = try await store.devices.base(of: device, fold: app.fold)
        guard base != nil || !observations.isEmpty else {
            let isForgotten = try await !store.forgetting.forgotten(among: [device]).isEmpty
            return .failure(isForgotten ? .forgotten : .neverHeard(app: app.id))
        }
        return .success(
            app.fold.explain(observations, onto: base?.state ?? DeviceState(), foldedThrough: base?.foldedThrough))
    }
}

extension DevicePage.Answer {
    package init(_ explanation: Result<Explanation, DeviceHistory.Absence>) {
        self =
            switch explanation {
            case .success(let explanation): .explanation(explanation)
            case .failure(let absence): .fault(absence.sentence)
            }
    }
}
