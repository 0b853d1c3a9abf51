/// The kinds and families that an app's manifests declare, those of all versions together.
///
/// The report `zombies` shows what a version with a manifest lacks; this is for kinds that were never declared: a name with a
/// typo in it, or a widget that the release pipeline does not know.
public struct DeclaredKinds: Hashable, Sendable {
    /// Nil: any family.
    private let families: [Manifest.Kind.ID: Set<Text>?]
    private let surfaces: Set<Surface>

    /// - Parameter kinds: each once, with the families of all manifests; none: there is no manifest.
    public init(_ kinds: [Manifest.Kind] = []) {
        families = Dictionary(kinds.map { ($0.id, $0.families.map(Set.init)) }) { first, _ in first }
        surfaces = Set(kinds.map(\.id.surface))
    }

    /// At most one per event. A surface for which no manifest has a kind is left alone.
    public func warnings(of batch: Batch) -> [BatchWarning] {
        guard !families.isEmpty else { return [] }
        return batch.events.compactMap { event in
            guard case .success(let event) = event, surfaces.contains(event.surface) else { return nil }
            return event.event.models.lazy.compactMap { warning(of: $0, in: event) }.first
        }
    }

    private func warning(of model: Placement.Model, in event: BatchEvent) -> BatchWarning? {
        // Lists are in order by now, and no longer know where each widget stood.
        let pointer = "/events/\(event.index)/\(event.event.type == .widgetsReported ? "widgets" : "widget")"
        guard let declared = families[Manifest.Kind.ID(surface: event.surface, kind: Text(model.kind))] else {
            return BatchWarning(
                code: .undeclaredKind, index: event.index,
                message: "no manifest of this app declares a kind that the event names: it counts under that name",
                pointer: pointer)
        }
        guard let declared, let family = model.family, !family.hasBytes(of: Batch.other),
            !declared.contains(Text(family))
        else { return nil }
        return BatchWarning(
            code: .undeclaredFamily, index: event.index,
            message: "no manifest of this app declares a family that the event names for its kind: it counts so",
            pointer: pointer)
    }
}
