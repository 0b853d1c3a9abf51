/// What stands before the door: who lets bodies and connections in, and who looks after memory.
package struct Guards: Sendable {
    let gates: BodyGates
    let memory: MemoryWatch
    let connections: ConnectionCount
}
