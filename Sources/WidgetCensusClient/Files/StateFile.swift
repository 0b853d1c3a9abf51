import Foundation

/// A small value in a file of its own, replaced as a whole.
struct StateFile<Value: Codable & Sendable>: Sendable {
    enum Reading: Sendable {
        case value(Value)
        case absent
        /// It can't be read right now: nothing may be concluded, and nothing replaced.
        case notNow
        /// What is there is not ours to understand: damaged, or from another version.
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

    /// The value; nil if there is none that can be read.
    var value: Value? {
        if case .value(let value) = reading { value } else { nil }
    }

    func write(_ value: Value) throws(FileFailure) {
        guard let data = try? JSONEncoder.ofWire.encode(value) else { throw .other(0) }
        try folder.write(data, to: name)
    }

    func remove() throws(FileFailure) { try folder.remove(name) }
}
