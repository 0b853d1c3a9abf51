import Foundation
import PostgresTesting
import Testing

@Suite struct `Shadow` {
    private static let app = SimulatedFleet.app

    @Test func `report shadow compares their numbers day by day and names the reason`() async throws {
        try await SimulatedFleet(devices: 60, days: 20).with { program, _, _ in
            let counts = try await program.run("report", "live_kinds", "--format", "csv").output
            let rows = counts.split(separator: "\r\n").dropFirst().map { $0.split(separator: ",") }
            // Columns of live_kinds: 1 day, 2 surface, 3 kind, 12 devices_reported.
            let naive = rows.map { "\($0[1]),\($0[2]),\($0[3]),\($0[12])" }
            let theirs = (["day,surface,kind,devices"] + naive).joined(separator: "\n")
            let outcome = try await program.run("report", "shadow", "--their", "-", input: theirs)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("their tool counts what the OS lists, also widgets that are gone"))
            #expect(!outcome.output.contains("No reason"), "\(outcome.output)")

            let table = try await program.run(
                "report", "shadow", "--their", "-", "--format", "csv",
                input: "\u{FEFF}" + theirs.replacing("\n", with: "\r\n")
            ).output.split(separator: "\r\n")
            #expect(table.count == rows.count + 1)
            #expect(
                table[0].hasPrefix("app_id,day,surface,kind,measure,theirs,ours,ours_certain,ours_possible,difference,")
            )
            #expect(table[0].contains(",unexplained,events,reinstalled_widgets"))

            // A tool that counts events. Columns of the table: 1 day, 2 surface, 3 kind, 18 events.
            let zeros = (["day,surface,kind,installed"] + rows.map { "\($0[1]),\($0[2]),\($0[3]),0" })
            let ours = try await program.run(
                "report", "shadow", "--their", "-", "--format", "csv", input: zeros.joined(separator: "\n")
            ).output.split(separator: "\r\n").dropFirst().map {
                $0.split(separator: ",", omittingEmptySubsequences: false)
            }
            let events = [zeros[0]] + ours.map { "\($0[1]),\($0[2]),\($0[3]),\($0[18])" }
            let counted = try await program.run(
                "report", "shadow", "--their", "-", input: events.joined(separator: "\n")
            ).output
            #expect(counted.contains("their tool counts every event"), "\(counted)")

            // A query that groups events writes no zeros.
            let (first, others) = (
                zeros.filter { $0.contains(",\(rows[0][3]),") }, zeros.filter { !$0.contains(",\(rows[0][3]),") }
            )
            let gaps = try await program.run(
                "report", "shadow", "--their", "-", input: (others + first.prefix(1)).joined(separator: "\n")
            ).output
            #expect(gaps.contains(" has installed on 1. Other days are not compared"), "\(gaps)")

            let other = try await program.run(
                "report", "shadow", "--their", "-",
                input: "kind,day,installed\nno.such.kind,\(rows[0][1]),3\n\(rows[0][3]),19990101,2\n")
            #expect(other.errors.contains("has no kind no.such.kind"), "\(other.output)\(other.errors)")
            #expect(
                other.errors.contains("1 day of theirs is left out, 1999-01-01 to 1999-01-01: our closed days are "))
            #expect(other.errors.contains("Theirs lacks "))
            let net = theirs.split(separator: "\n").map { $0.replacing(/,([0-9]+)$/) { ",-\($0.output.1)" } }
            let negative = try await program.run("report", "shadow", "--their", "-", input: net.joined(separator: "\n"))
            #expect(negative.status == 0 && negative.output.contains("lower"), "\(negative.errors)")
        }
    }

    @Test(arguments: [
        ("", "the first row must name the columns"), ("day kind devices\n", "separated by commas"),
        ("day,kind,devices\n2026-11-01,\"wea,3\n", "-:2: a quoted field has no end"),
        ("day,kind,users\n2026-11-01,weather,3\n", "devices, widgets, installed, removed"),
        ("day,kind,devices\n", "no row below its header"),
        ("day,kind,devices\n2026-11-01,weather\n", "-:2: it has 2 fields, the header 3"),
        ("day,kind,devices\n1/11/2026,weather,3\n", "-:2: day must be such as 2026-11-01"),
        ("day,kind,devices\n2026-11-01,,3\n", "-:2: kind is empty"),
        ("day,Kind, kind ,devices\n2026-11-01,a,b,3\n", "-:1: two columns are named kind"),
        ("day,kind,devices\n2026-11-01,weather,nan\n", "-:2: devices must be a number"),
        ("day,kind,devices\n2026-11-01,weather,3\n20261101,weather,4\n", "-:3: line 2 is also for weather"),
    ]) func `a malformed table is rejected with its line`(file: String, why: String) async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        let outcome = try await program.run("report", "shadow", "--their", "-", input: file)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(why), "\(outcome.errors)")
    }

    @Test(
        arguments: [
            ([0x1F, 0x8B, 8, 0], "is gzip"), ([0xFF, 0xFE, 0x64, 0], "is not UTF-8"),
            (Array("day,kind,devices\n2026-11-01,caf".utf8) + [0xE9, 0x2C, 0x33], "is not UTF-8"),
        ] as [([UInt8], String)])
    func `a file that isn't text is rejected with the reason`(bytes: [UInt8], why: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).csv")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let program = Program.onDatabase(try await TestDatabase.migrated())
        let outcome = try await program.run("report", "shadow", "--their", file.path)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(why), "\(outcome.errors)")
    }

    @Test func `report shadow and --their need each other`() async throws {
        let program = Program.onDatabase(try await TestDatabase.migrated())
        for arguments in [["report", "shadow"], ["report", "live_now", "--their", "x.csv"]] {
            let outcome = try await program.start(arguments).finished()
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("the report shadow and --their need each other"))
        }
    }
}
