import Foundation

/// What decides over the gallery, kept on the device: the server's answer, the newest list, and what happened since.
struct GalleryEvidence: Sendable {
    let folder: Folder
    let release: Release

    private var answer: StateFile<PolicyAnswer> { StateFile(folder: folder, name: "state/gallery.json") }
    private var list: StateFile<NewestList> { StateFile(folder: folder, name: "state/list.json") }
    private var named: NamedKindsFolder { NamedKindsFolder(folder: folder) }

    /// What may be hidden now, according to what is known here.
    func policy(now: Date) -> GalleryPolicy {
        // In this order. Should the app read a new list meanwhile, the names that it removes are known here, or the list is the
        // new one, which no older answer fits.
        guard let names = try? named.names(), let answer = answer.value, let list = list.value else { return .showsAll }
        return GalleryDecision(
            answer: answer, list: list, named: NamedKinds(names: names), release: release, now: now
        ).policy
    }

    // MARK: - Lists and events

    /// What events have named so far. Read this before a list: what events say, the list says better.
    func namedSoFar() -> [String] { (try? named.names()) ?? [] }

    /// Keeps a list that was read, before its report is kept: a list that contains a kind must count as soon as it is known.
    ///
    /// - Parameter kinds: nil if it could not be read.
    func keep(report: String, kinds: [String]?, named before: [String]) {
        do {
            try list.write(NewestList(report: report, kinds: kinds, release: release))
            if kinds != nil { try named.remove(before) }
        } catch {
            showAll()
        }
    }

    /// Whether the newest list is this app's and says the same, and nothing was named since.
    func knows(_ kinds: [String]?, named: [String]) -> Bool {
        guard let kinds, let newest = list.value, newest.release == release, named.isEmpty else { return false }
        return newest.kinds.map(Set.init) == Set(kinds)
    }

    /// Keeps that an event named a kind, before the event is kept.
    ///
    /// A rendering counts, too. It proves little, but a widget that was placed since the newest list is rendered first.
    func note(kind: String, isRendering: Bool) {
        do {
            try named.add(kind, unlessThere: isRendering)
        } catch {
            showAll()
        }
    }

    /// Shows everything until the server is asked again. A full disk lets files be removed when it lets none be written.
    func showAll() { try? answer.remove() }

    // MARK: - Asking

    /// The question to send; nil if the answer that is here is new enough.
    func question(device: String, now: Date) -> Request? {
        let known = answer.value
        let isKnown = known.map { $0.holds(for: release, now: now) && $0.report == list.value?.report } ?? false
        if isKnown, known?.isFresh(now: now) == true { return nil }
        var request = Request(method: "GET", path: "/v1/gallery-policy", headers: ["Census-Device": device])
        if isKnown { request.headers["If-None-Match"] = known?.entityTag }
        return request
    }

    /// Keeps an answer. Anything but an answer removes the one that is here: then everything is shown.
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
