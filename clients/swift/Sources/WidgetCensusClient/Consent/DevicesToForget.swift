import Foundation

/// The ids that the service has yet to erase. Each is a file, so that several processes can add some.
struct DevicesToForget: Sendable {
    struct Entry: Hashable, Sendable {
        var name: String
        var id: String
    }

    let folder: Folder

    func entries() throws(FileFailure) -> [Entry] {
        var entries: [Entry] = []
        for name in try folder.names(in: "forget").sorted() {
            let id = try folder.contents(of: "forget/" + name)
            entries.append(Entry(name: name, id: String(decoding: id, as: UTF8.self)))
        }
        return entries
    }

    func add(_ id: String) throws(FileFailure) {
        if try entries().contains(where: { $0.id == id }) { return }
        try folder.write(Data(id.utf8), to: "forget/" + folder.nextSerial())
    }

    func remove(_ entry: Entry) throws(FileFailure) { try folder.remove("forget/" + entry.name) }
}
