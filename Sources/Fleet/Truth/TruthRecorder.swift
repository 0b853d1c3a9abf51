import CensusCore

/// Derives the truth of one device id from its delivered notes.
///
/// It gets notes in the order of writing, each once, however often they were delivered.
struct TruthRecorder {
    private struct Key: Hashable {
        var surface: Surface
        var placement: Placement
    }

    private let window: ActivityWindow
    /// The known placements of the current installation, whether or not the device counts.
    private var held: [Surface: [Placement: Int]] = [:]
    private var open: [Key: (count: Int, from: Timestamp)] = [:]
    private var closed: [DeviceTruth.Interval] = []
    private var installation: String?
    private var lastHeard: Timestamp?

    init(zone: ReportingZone = .utc) {
        window = ActivityWindow(zone: zone)
    }

    mutating func hear(_ note: Note) {
        let silentSince = lastHeard.flatMap { window.end(lastHeard: $0, ifBefore: note.at) }
        if let installation, installation != note.context.installation {
            let ended = max(note.context.firstLaunchedAt, lastHeard ?? note.at)
            closeAll(at: min(ended, silentSince ?? ended))
            held = [:]
        } else if let silentSince {
            closeAll(at: silentSince)
            for surface in held.keys { draw(surface, at: note.at) }
        }
        installation = note.context.installation
        lastHeard = note.at
        if case .nothing = note.testimony { return }
        let before = held[note.surface] ?? [:]
        let after = before.after(note.testimony, naming: note.naming)
        guard after != before else { return }
        held[note.surface] = after
        draw(note.surface, at: note.at)
    }

    func truth() -> DeviceTruth {
        guard let lastHeard else { return DeviceTruth() }
        var ended = self
        ended.closeAll(at: window.end(lastHeard: lastHeard))
        return DeviceTruth(
            intervals: ended.closed.sorted {
                ($0.from, $0.surface, $0.placement) < ($1.from, $1.surface, $1.placement)
            })
    }

    private mutating func draw(_ surface: Surface, at time: Timestamp) {
        let counts = held[surface] ?? [:]
        for (key, current) in open where key.surface == surface && counts[key.placement] != current.count {
            close(key, at: time)
        }
        for (placement, count) in counts where open[Key(surface: surface, placement: placement)] == nil {
            open[Key(surface: surface, placement: placement)] = (count, time)
        }
    }

    private mutating func closeAll(at time: Timestamp) {
        for key in open.keys { close(key, at: time) }
    }

    private mutating func close(_ key: Key, at time: Timestamp) {
        guard let (count, from) = open.removeValue(forKey: key), from < time else { return }
        closed.append(
            DeviceTruth.Interval(surface: key.surface, placement: key.placement, count: count, from: from, to: time))
    }
}
