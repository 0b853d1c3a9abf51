package import CensusCore
package import CensusStore

extension DeviceHistory {
    /// Why there is nothing to show of a device.
    package enum Absence: Error, Equatable, CustomStringConvertible {
        case forgotten
        case neverHeard(app: String)

        /// A sentence without its full stop, or two.
        package var description: String {
            switch self {
            case .forgotten:
                "that device was forgotten. What it still sends is answered with 202 and dropped, for as long as observations "
                    + "are kept"
            case .neverHeard(let app):
                "nothing was heard of that device under \(app). Is it the id as the app sends it, and `CENSUS_SECRET` the one "
                    + "under which it was hashed?"
            }
        }

        /// As a person reads it on a page.
        var sentence: String {
            description.capitalizingFirst + (description.hasSuffix("?") ? "" : ".")
        }
    }

    /// Explains a device from everything that is committed of it.
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
