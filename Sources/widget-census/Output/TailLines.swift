internal import CensusCore
internal import CensusStore
internal import Pages

/// Formats arrivals as lines, batch by batch, with the changes by each event.
struct TailLines {
    let store: Store
    let app: App

    func text(of arrivals: ArraySlice<Arrived>) async throws -> String {
        var histories: [Pseudonym: [Observation]] = [:]
        var text = ""
        var batch: (Timestamp, Pseudonym)?
        for arrival in arrivals.sorted(by: { ($0.receivedAt, $0.device) < ($1.receivedAt, $1.device) }) {
            if batch.map({ $0 != (arrival.receivedAt, arrival.device) }) ?? true {
                text += "\(arrival.receivedAt.toTheSecond) device \(arrival.device)\n"
                batch = (arrival.receivedAt, arrival.device)
            }
            if case .accepted = arrival.outcome, histories[arrival.device] == nil {
                histories[arrival.device] = try await store.devices.observations(of: arrival.device)
            }
            text += try await lines(of: arrival, history: histories[arrival.device] ?? [])
        }
        return text
    }

    private func lines(of arrival: Arrived, history: [Observation]) async throws -> String {
        switch arrival.outcome {
        case .refused(let id, let code, let message):
            return indented("refused \(id.map { "\($0) " } ?? "")as \(code): \(message)")
        case .warned(let code, let message, let pointer):
            return indented("warning \(code)\(pointer.isEmpty ? "" : " at \(pointer)"): \(message)")
        case .accepted(let id, let at):
            guard let heard = history.first(where: { $0.id == id && $0.occurredAt == at }) else {
                return indented("accepted \(id), erased or dropped since")
            }
            return try await lines(of: heard, of: arrival.device, in: history)
        }
    }

    private func lines(of heard: Observation, of device: Pseudonym, in history: [Observation]) async throws -> String {
        let channel = heard.circumstances.channel
        let isCounted = heard.circumstances.isCounted
        let base = isCounted ? try await store.devices.base(of: device, fold: app.fold) : nil
        let same = history.filter { $0.circumstances.channel == channel }.map { observation in
            var observation = observation
            observation.circumstances.channel = Observation.Circumstances.countedChannel
            return observation
        }
        let explanation = app.fold.explain(
            same, onto: base?.state ?? DeviceState(), foldedThrough: base?.foldedThrough)
        let told = DeviceHistory(explanation)
        let steps = explanation.steps.filter { $0.heard?.id == heard.id && $0.heard?.occurredAt == heard.occurredAt }
        let text = steps.map { told.lines($0, width: (Terminal.width ?? 120) - 2) }.joined()
        let note = isCounted ? "" : "not counted, because its channel is \(channel); if it were counted:\n"
        return indented(note + text)
    }

    private func indented(_ text: String) -> String {
        text.split(separator: "\n").map { "  \($0)\n" }.joined()
    }
}
