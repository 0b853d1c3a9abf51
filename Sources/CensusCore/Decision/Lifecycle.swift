/// What was decided of a kind; `retire_ready` is computed from numbers and not decided.
public enum Lifecycle: String, Hashable, Sendable, CaseIterable {
    case active, legacy, retired
}
