/// The kinds and families that an app's manifests declare, of all versions together.
///
/// The report `zombies` shows kinds that the manifest of one version lacks. This is for kinds that no manifest declares,
/// because of a typo, or because the release pipeline doesn't know the widget.
public struct DeclaredKinds: Hashable, Sendable {
    /// Nil means any family.
    private let families: [Manifest.Kind.ID: Set<Text>?]
    private let surfaces: Set<Surface>

    /// - Parameter kinds: each once, with the families of all manifests. Empty if there is no manifest.
    public init(_ kinds: [Manifest.Kind] = []) {
        families = Dictionary(kinds.map { ($0.id, $0.families.map(Set.init)) }) { first, _ in first }
        surfaces = Set(kinds.map(\.id.surface))
    }

    /// At most one warning per event, and none for surfaces on which no manifest declares a kind.
    public func warnings(of batch: Batch) -> [BatchWarning] {
        guard !families.isEmpty else { return [] }
        return batch.events.compactMap { event in
            guard case .success(let event) = event, surfaces.contains(event.surface) else { return nil }
            return event.event.models.lazy.compactMap { warning(of: $0, in: event) }.first
        }
    }

    private func warning(of model: Placement.Model, in event: BatchEvent) -> BatchWarning? {
        // The list was sorted, so the widget's index in the body is unknown.
        let pointer = "/events/\(event.index)/\(event.event.type == .widgetsReported ? "widgets" : "widget")"
        guard let declared = families[Manifest.Kind.ID(surface: event.surface, kind: Text(model.kind))] else {
            return BatchWarning(
                code: .undeclaredKind, index: event.index,
                message: "no manifest of this app declares a kind in this event; it is counted as sent, "
                    + "so check its spelling",
                pointer: pointer)
        }
        guard let declared, let family = model.family, !family.hasBytes(of: Batch.other),
            !declared.contains(Text(family))
        else { return nil }
        return BatchWarning(
            code: .undeclaredFamily, index: event.index,
            message: "no manifest of this app declares a family in this event for its kind; it is counted as sent, "
                + "so check its spelling",
            pointer: pointer)
    }
}
