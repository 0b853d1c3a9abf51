import Foundation

/// A small value in its own file, which is always replaced as a whole.
struct StateFile<Value: Codable & Sendable>: Sendable {
    enum Reading: Sendable {
        case value(Value)
        case absent
        /// It can't be read right now, so don't conclude anything and don't replace it.
        case notNow
        /// It can't be decoded: it is damaged, or from another version.
        case broken
    }

    let folder: Folder
    let name: String

    var reading: Reading {
        let data: Data
        do {
            data = try folder.contents(of: name)
        } catch {
            return error == .absent ? .absent : .notNow
        }
        guard let value = try? JSONDecoder.ofWire.decode(Value.self, from: data) else { return .broken }
        return .value(value)
    }

    /// The value; nil if it is absent or unreadable.
    var value: Value? {
        if case .value(let value) = reading { value } else { nil }
    }

    func write(_ value: Value) throws(FileFailure) {
        guard let data = try? JSONEncoder.ofWire.encode(value) else { throw .other(0) }
        try folder.write(data, to: name)
    }

    func remove() throws(FileFailure) { try folder.remove(name) }
}
