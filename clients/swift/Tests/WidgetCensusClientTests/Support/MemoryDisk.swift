import Foundation

@testable import WidgetCensusClient

/// A disk that can fail at every step, and a process on it that can end at every step.
final class MemoryDisk: Sendable {
    struct State {
        var files: [String: Data] = [:]
        var folders: Set<String> = []
        var isFull = false
        var isLocked = false

        func names(in folder: String) -> [String] {
            files.keys.filter { $0.hasPrefix(folder + "/") }.map {
                String($0.utf8.dropFirst(folder.utf8.count + 1)) ?? ""
            }
            .filter { !$0.contains("/") }
        }
    }

    let state = Locked(State())

    func files(in folder: String) -> [String] {
        state.withValue { state in
            state.names(in: folder).map { folder + "/" + $0 }.sorted()
        }
    }
}

/// The disk as one process sees it.
final class ProcessFiles: Files {
    private struct Life {
        var steps = 0
        var end: Int?
        var random: Seeded
    }

    private let disk: MemoryDisk
    private let life: Locked<Life>

    init(_ disk: MemoryDisk, seed: UInt64 = 0) {
        self.disk = disk
        life = Locked(Life(random: Seeded(seed)))
    }

    /// Kills the process at its next step but so many.
    func kill(afterSteps steps: Int) { life.withValue { $0.end = $0.steps + steps } }

    var isDead: Bool { life.withValue { life in life.end.map { life.steps > $0 } ?? false } }
    var steps: Int { life.withValue { $0.steps } }

    private enum Fate {
        case lives, dead
        /// It ends at this step: before it, in the middle (so much of it is done), or after it.
        case ends(share: Double)
    }

    private func step() -> Fate {
        life.withValue { life in
            life.steps += 1
            guard let end = life.end, life.steps > end else { return .lives }
            return life.steps == end + 1 ? .ends(share: life.random.fraction() * 1.5 - 0.25) : .dead
        }
    }

    private static let ended = FileFailure.other(-1)

    /// Carries out a step that is done or not.
    private func change(_ body: (inout MemoryDisk.State) throws(FileFailure) -> Void) throws(FileFailure) {
        switch step() {
        case .dead: throw ProcessFiles.ended
        case .ends(let share):
            if share > 0.5 {
                _ = disk.state.withValue { state in Result { () throws(FileFailure) in try body(&state) } }
            }
            throw ProcessFiles.ended
        case .lives:
            try disk.state.withValue { state in Result { () throws(FileFailure) in try body(&state) } }.get()
        }
    }

    private func look<Value>(
        _ body: (MemoryDisk.State) throws(FileFailure) -> Value
    ) throws(FileFailure) -> Value {
        guard case .lives = step() else { throw ProcessFiles.ended }
        return try disk.state.withValue { state in Result { () throws(FileFailure) in try body(state) } }.get()
    }

    func names(in folder: String) throws(FileFailure) -> [String] {
        try look { (state) throws(FileFailure) in
            if state.isLocked { throw .notNow }
            guard state.folders.contains(folder) else { throw .absent }
            // In no order, as a disk has them.
            return state.names(in: folder)
        }
    }

    func contents(of path: String) throws(FileFailure) -> Data {
        try look { (state) throws(FileFailure) in
            if state.isLocked { throw .notNow }
            guard let data = state.files[path] else { throw .absent }
            return data
        }
    }

    func create(_ path: String, holding data: Data) throws(FileFailure) {
        let fate = step()
        if case .dead = fate { throw ProcessFiles.ended }
        let part = if case .ends(let share) = fate { share } else { 1.0 }
        let result = disk.state.withValue { state in
            Result { () throws(FileFailure) in
                if state.isLocked { throw .notNow }
                guard state.folders.contains((path as NSString).deletingLastPathComponent) else { throw .absent }
                if state.files[path] != nil { throw .other(17) }
                if state.isFull { throw .full }
                if part > 0 { state.files[path] = data.prefix(Int(Double(data.count) * min(part, 1))) }
            }
        }
        try result.get()
        if case .ends = fate { throw ProcessFiles.ended }
    }

    func move(_ path: String, to target: String) throws(FileFailure) {
        try change { (state) throws(FileFailure) in
            if state.isLocked { throw .notNow }
            guard state.folders.contains((target as NSString).deletingLastPathComponent) else { throw .absent }
            guard let data = state.files.removeValue(forKey: path) else { throw .absent }
            state.files[target] = data
        }
    }

    func remove(_ path: String) throws(FileFailure) {
        try change { (state) throws(FileFailure) in
            if state.isLocked { throw .notNow }
            guard state.files.removeValue(forKey: path) != nil else { throw .absent }
        }
    }

    func makeFolder(_ path: String) throws(FileFailure) {
        try change { (state) throws(FileFailure) in
            if state.isLocked { throw .notNow }
            var path = path
            while path != "/", !path.isEmpty {
                state.folders.insert(path)
                path = (path as NSString).deletingLastPathComponent
            }
        }
    }
}
