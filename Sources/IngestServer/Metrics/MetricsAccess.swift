/// Who is answered at `/metrics`; everybody else finds no such path.
package enum MetricsAccess: String, CaseIterable, Sendable {
    /// Whoever asks from this machine, and not through a proxy that says so.
    case local
    case open
    case off
}
