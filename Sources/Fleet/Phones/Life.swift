package import CensusCore

/// One device id's story: what its app has told, and what its screens really held.
package struct Life: Telling, Sendable {
    /// The device's, as the app sends it.
    package let id: String
    package var observations: [Observation] = []
    package var circumstances: Observation.Circumstances
    package var installation: UInt64 = 1
    package var bootWords: BootWords?
    /// By time; none of a story that has no truth.
    package private(set) var marks: [Mark] = []
    /// When the phone started, whether or not its app says so.
    package var boots: [Timestamp] = []

    package init(_ id: String, _ circumstances: Observation.Circumstances, bootWords: BootWords? = .time) {
        self.id = id
        self.circumstances = circumstances
        self.bootWords = bootWords
    }

    /// What a screen holds from a moment on.
    package struct Mark: Sendable {
        package var at: Timestamp
        package var surface: Surface
        /// What has changed; nil: any of it may have, or a list was read.
        package var kind: String?
        package var held: [Placement: Int]
        /// Which of the observations tells of it; nil: the app does not know.
        package var observation: Int?
    }

    /// - Parameter isTold: whether the last observation tells of it.
    mutating func mark(
        _ held: [Placement: Int], on surface: Surface, _ at: Timestamp, kind: String? = nil, isTold: Bool = false
    ) {
        marks.append(
            Mark(at: at, surface: surface, kind: kind, held: held, observation: isTold ? observations.count - 1 : nil))
    }
}
