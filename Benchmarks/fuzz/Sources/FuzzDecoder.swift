import Foundation

/// `fuzz-decoder CORPUS [COUNT] [SEED] [FIRST]`: feeds the decoder many bodies and checks its promises.
@main
struct FuzzDecoder {
    /// 20 ms and 100 ns per byte, so the widest input of a megabyte can take a tenth of a second.
    private static func timeLimit(_ bytes: Int) -> Int { 20_000_000 + 100 * bytes }

    /// The number of the current input, for the trap handler.
    nonisolated(unsafe) private static let current = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    static func main() throws {
        let words = CommandLine.arguments
        guard words.count > 1, let count = Int(words.count > 2 ? words[2] : "100000"),
            let seed = UInt64(words.count > 3 ? words[3] : "1"), let first = Int(words.count > 4 ? words[4] : "0")
        else {
            print("usage: fuzz-decoder CORPUS [COUNT] [SEED] [FIRST]")
            exit(2)
        }
        let corpus = try Corpus(folder: words[1])
        for signal in [SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE] { Foundation.signal(signal, report) }
        exit(run(corpus, numbers: first..<first + count, seed: seed))
    }

    private static func run(_ corpus: Corpus, numbers: Range<Int>, seed: UInt64) -> Int32 {
        let start = ContinuousClock.now
        var (whole, accepted, refused, bytes, decoding, slowest) = (0, 0, 0, 0, 0, (0, 0))
        var failures = 0
        for number in numbers {
            current.pointee = number
            let body = corpus.input(number, seed: seed)
            var findings = Findings()
            let begun = ThreadTime.nanoseconds
            switch findings.check(body) {
            case .refusedWhole: whole += 1
            case .batch(let taken, let left): (accepted, refused) = (accepted + taken, refused + left)
            }
            let took = ThreadTime.nanoseconds - begun
            (bytes, decoding) = (bytes + body.count, decoding + took)
            if took > slowest.0 { slowest = (took, number) }
            // The machine can be slow once; a slow input is slow every time.
            if took > timeLimit(body.count), let least = (0..<3).map({ _ in time(of: body) }).min(),
                least > timeLimit(body.count)
            {
                failures += tell("\(least / 1_000) µs for \(body.count) bytes", number, body)
            }
            for finding in findings.broken.prefix(3) { failures += tell(finding, number, body) }
            if failures > 100 { break }
            if (number + 1).isMultiple(of: 1_000_000) || number == numbers.upperBound - 1 {
                let done = number + 1 - numbers.lowerBound
                let seconds = (ContinuousClock.now - start) / .seconds(1)
                print(
                    "seed \(seed): \(done) inputs, \(Int(Double(done) / seconds)) a second, "
                        + "\(decoding / max(done, 1)) ns each in the decoder and its checks, \(bytes / max(done, 1)) bytes each; "
                        + "\(whole) refused whole, \(accepted) events accepted and \(refused) refused; "
                        + "slowest \(slowest.0 / 1_000) µs (input \(slowest.1)); \(failures) findings")
                fflush(nil)
            }
        }
        return failures == 0 ? 0 : 1
    }

    private static func time(of body: [UInt8]) -> Int {
        var findings = Findings()
        let begun = ThreadTime.nanoseconds
        _ = findings.check(body)
        return ThreadTime.nanoseconds - begun
    }

    private static func tell(_ finding: String, _ number: Int, _ body: [UInt8]) -> Int {
        print("FINDING input \(number): \(finding)\n\(String(decoding: body.prefix(2_000), as: UTF8.self))")
        return 1
    }

    /// Does only what is safe in a signal handler: no allocation.
    private static let report: @convention(c) (Int32) -> Void = { signal in
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 24) { text in
            var (number, end) = (current.pointee, 24)
            repeat {
                end -= 1
                text[end] = UInt8(48 + number % 10)
                number /= 10
            } while number > 0
            let word: StaticString = "TRAP at input "
            _ = write(1, word.utf8Start, word.utf8CodeUnitCount)
            if let base = text.baseAddress { _ = write(1, base + end, 24 - end) }
            _ = write(1, "\n", 1)
        }
        _exit(3)
    }
}
