import Foundation

/// The stored evidence for hiding kinds: the server's response, the newest list, and the events since.
struct GalleryEvidence: Sendable {
    let folder: Folder
    let release: Release

    private var answer: StateFile<PolicyAnswer> { StateFile(folder: folder, name: "state/gallery.json") }
    private var list: StateFile<NewestList> { StateFile(folder: folder, name: "state/list.json") }
    private var named: NamedKindsFolder { NamedKindsFolder(folder: folder) }

    /// Decides from the stored evidence which kinds to hide now.
    func policy(now: Date) -> GalleryPolicy {
        // Keep this order. If the app stores a new list meanwhile, either these names still include the ones that it removes,
        // or `list` is the new one, which doesn't match an older answer.
        guard let names = try? named.names(), let answer = answer.value, let list = list.value else { return .showsAll }
        return GalleryDecision(
            answer: answer, list: list, named: NamedKinds(names: names), release: release, now: now
        ).policy
    }

    // MARK: - Lists and events

    /// The kinds that events have named so far. Read this before a list, because the list replaces what the events say.
    func namedSoFar() -> [String] { (try? named.names()) ?? [] }

    /// Stores a list that was read. Call this before storing its report, because a list with a kind must count at once.
    ///
    /// - Parameter kinds: nil if the list could not be read.
    func keep(report: String, kinds: [String]?, named before: [String]) {
        do {
            try list.write(NewestList(report: report, kinds: kinds, release: release))
            if kinds != nil { try named.remove(before) }
        } catch {
            showAll()
        }
    }

    /// Whether the newest list is from this release and has the same kinds, and no event named a kind since.
    func knows(_ kinds: [String]?, named: [String]) -> Bool {
        guard let kinds, let newest = list.value, newest.release == release, named.isEmpty else { return false }
        return newest.kinds.map(Set.init) == Set(kinds)
    }

    /// Records that an event named a kind. Call this before storing the event.
    ///
    /// Renderings count, too. They prove little, but a rendering is the first sign of a widget that was placed after the newest
    /// list.
    func note(kind: String, isRendering: Bool) {
        do {
            try named.add(kind, unlessThere: isRendering)
        } catch {
            showAll()
        }
    }

    /// Shows everything until the app asks the server again. On a full disk, removing a file still works.
    func showAll() { try? answer.remove() }

    // MARK: - Asking

    /// Returns the request to send; nil if the stored response is recent enough.
    func question(device: String, now: Date) -> Request? {
        let known = answer.value
        let isKnown = known.map { $0.holds(for: release, now: now) && $0.report == list.value?.report } ?? false
        if isKnown, known?.isFresh(now: now) == true { return nil }
        var request = Request(method: "GET", path: "/v1/gallery-policy", headers: ["Census-Device": device])
        if isKnown { request.headers["If-None-Match"] = known?.entityTag }
        return request
    }

    /// Stores a response. If it is not usable, removes the stored one, so that everything is shown.
    func take(_ reply: Answer?, now: Date) {
        if let new = understood(reply, now: now), (try? answer.write(new)) != nil { return }
        showAll()
    }

    private func understood(_ reply: Answer?, now: Date) -> PolicyAnswer? {
        guard let reply else { return nil }
        if reply.status == 304 { return answer.value?.confirmed(by: reply, now: now) }
        return PolicyAnswer(reply, release: release, now: now)
    }
}
