/// What stands before the door: who lets bodies and connections in, who looks after memory, and where their faults are told.
package struct Guards: Sendable {
    let gates: BodyGates
    let memory: MemoryWatch
    let connections: ConnectionCount
    let faults: FaultLog
}
