package import CensusCore

/// The history of one device id: what its app has sent, and what its screens really had.
package struct Life: Telling, Sendable {
    /// The device id, as the app sends it.
    package let id: String
    package var observations: [Observation] = []
    package var circumstances: Observation.Circumstances
    package var installation: UInt64 = 1
    package var bootWords: BootWords?
    /// In order of time; empty if there is no truth.
    package private(set) var marks: [Mark] = []
    /// When the phone booted, whether or not its app says so.
    package var boots: [Timestamp] = []

    package init(_ id: String, _ circumstances: Observation.Circumstances, bootWords: BootWords? = .time) {
        self.id = id
        self.circumstances = circumstances
        self.bootWords = bootWords
    }

    /// What a screen has from a moment on.
    package struct Mark: Sendable {
        package var at: Timestamp
        package var surface: Surface
        /// The kind that has changed; nil if any might have, or if a list was read.
        package var kind: String?
        package var held: [Placement: Int]
        /// The index of the observation about it; nil if the app doesn't know.
        package var observation: Int?
    }

    /// - Parameter isTold: whether the last observation is about it.
    mutating func mark(
        _ held: [Placement: Int], on surface: Surface, _ at: Timestamp, kind: String? = nil, isTold: Bool = false
    ) {
        marks.append(
            Mark(at: at, surface: surface, kind: kind, held: held, observation: isTold ? observations.count - 1 : nil))
    }
}
