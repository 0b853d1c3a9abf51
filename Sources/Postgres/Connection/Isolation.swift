/// How much a transaction sees of others that commit beside it (PostgreSQL manual, 13.2).
public enum Isolation: String, Sendable, CaseIterable {
    case readCommitted = "read committed"
    case repeatableRead = "repeatable read"
    case serializable
}
