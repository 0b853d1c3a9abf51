import Testing
import Traces

@Suite struct `Trace contexts` {
    @Test func `a child keeps the trace and the flags, and names its parent`() throws {
        let sender = try #require(TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03"))
        let child = sender.child
        #expect(child.trace == sender.trace && child.parent == "b7ad6b7169203331" && child.span != sender.span)
        #expect(child.header == "00-\(sender.trace)-\(child.span)-03")
    }

    @Test(arguments: [("00", false), ("01", true), ("02", false), ("ff", true)])
    func `the last bit of the flags says whether a trace is sampled`(flags: String, isSampled: Bool) throws {
        let sender = try #require(TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-\(flags)"))
        #expect(sender.isSampled == isSampled && sender.child.isSampled == isSampled)
    }

    @Test func `a new trace is sampled and has a valid header`() throws {
        let first = TraceContext()
        #expect(first.isSampled && first.parent == nil)
        #expect(TraceContext(first.header)?.trace == first.trace)
    }
}
